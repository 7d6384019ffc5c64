import type { Instant } from '../../../../src/exports/store.ts';
import type { ForeignRefund } from '../records/order.ts';
import { spread } from '../records/split.ts';

export interface Refund {
  /** Empty if unknown. */
  readonly at: Instant;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly isRounded: boolean;
  /** True if the amount that the shop shows as refunded equals `amount`. */
  readonly isTold: boolean;
  readonly reason: string | null;
  /** The amounts for a line, by the line's id. */
  readonly named: ReadonlyMap<number, number>;
}

/**
 * Splits refunds among the lines: first the amounts for a line, then the rest of these lines' totals, such as shipping,
 * then all other lines. Money beyond the totals is left out.
 * @param lines each line's id and total
 */
export function refundsOf(
  lines: readonly { readonly id: number; readonly total: number }[],
  refunds: readonly Omit<Refund, 'isRounded' | 'isTold'>[],
): ForeignRefund[][] {
  const left = lines.map(({ total }) => total);
  const given: ForeignRefund[][] = lines.map(() => []);
  for (const { at, amount, reason, named } of refunds) {
    const own = lines.map(() => 0);
    let rest = amount;
    const give = (mosts: readonly number[]) => {
      const open = mosts.map((most, i) => Math.max(0, Math.min(most, left[i] ?? 0)));
      const sum = Math.min(
        rest,
        open.reduce((whole, part) => whole + part, 0),
      );
      for (const [i, share] of spread(sum, open).entries()) {
        left[i] = (left[i] ?? 0) - share;
        own[i] = (own[i] ?? 0) + share;
      }
      rest -= sum;
    };
    give(lines.map(({ id }) => named.get(id) ?? 0));
    give(lines.map(({ id }, i) => (named.has(id) ? (left[i] ?? 0) : 0)));
    give(left);
    for (const [i, sum] of own.entries()) if (sum > 0) given[i]?.push({ at, amount: sum, reason });
  }
  return given;
}
