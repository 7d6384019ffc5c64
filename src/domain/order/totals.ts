export interface Totals {
  total: number;
  quantity: number;
  grand_total: number;
  refunded_total: number;
}
