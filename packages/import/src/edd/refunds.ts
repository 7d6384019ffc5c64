import type { OrderStatus } from '../../../../src/exports/store.ts';
import type { ForeignRefund } from '../records/order.ts';
import { spread } from '../records/split.ts';
import { amountOf, utcOf } from '../values.ts';
import type { ItemRow, OrderRow } from './source.ts';
import type { Plan } from './plan.ts';

/** A refund. The part of its total beyond its items is for the whole order. */
export interface RefundRow {
  readonly at: string | null;
  readonly total: string | null;
  readonly items: readonly { readonly itemId: string | null; readonly total: string | null }[];
}

/** Splits refunds among the parts of an order: by item, and the rest in proportion to the parts' totals. */
export function refundsOf(
  rows: readonly RefundRow[],
  items: readonly ItemRow[],
  totals: readonly number[],
  { exponent }: Plan,
  status: OrderStatus,
  createdAt: string,
  row: OrderRow,
): ForeignRefund[][] {
  const left = [...totals];
  const given: ForeignRefund[][] = totals.map(() => []);
  /** @returns the amount beyond the part's total */
  const give = (i: number, amount: number, at: string): number => {
    const possible = Math.max(0, Math.min(amount, left[i] ?? 0));
    if (possible === 0) return amount;
    left[i] = (left[i] ?? 0) - possible;
    given[i]?.push({ at, amount: possible, reason: null });
    return amount - possible;
  };
  for (const refund of rows) {
    const at = utcOf(refund.at) ?? utcOf(row.date_modified) ?? createdAt;
    const units = (text: string | null) => Math.abs(amountOf(text, exponent)?.units ?? 0);
    const byItem = items.map((item) =>
      sumOf(refund.items.filter(({ itemId }) => itemId === item.id).map((one) => units(one.total))),
    );
    const rest = Math.max(0, units(refund.total) - sumOf(byItem));
    const shares = spread(Math.min(rest, sumOf(left)), left.some(Boolean) ? left : totals);
    const over = byItem.map((amount, i) => give(i, amount + (shares[i] ?? 0), at));
    // A part may be smaller than its item, by its share of a negative fee: the other parts take the excess.
    for (const [i, amount] of spread(Math.min(sumOf(over), sumOf(left)), left).entries())
      give(i, amount, at);
  }
  // An order with the status `refunded` was refunded in full, even if its refunds sum to less.
  const end = utcOf(row.date_modified) ?? createdAt;
  if (status === 'refunded') for (const [i, amount] of [...left].entries()) give(i, amount, end);
  return given;
}

export const sumOf = (amounts: readonly number[]) =>
  amounts.reduce((sum, amount) => sum + amount, 0);
