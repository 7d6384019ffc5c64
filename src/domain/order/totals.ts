/** The number of orders that match, and the sums of their amounts. */
export interface Totals {
  total: number;
  quantity: number;
  grand_total: number;
  refunded_total: number;
}
