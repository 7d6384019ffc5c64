import type { Instant } from '../../../../src/exports/store.ts';
import type { ForeignRefund } from '../records/order.ts';
import { spread } from '../records/split.ts';

/** Money that was given back of an order. */
export interface Refund {
  /** Empty where it isn't known. */
  readonly at: Instant;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly isRounded: boolean;
  /** Whether what the shop shows as given back is what it came to. */
  readonly isTold: boolean;
  readonly reason: string | null;
  /** What of it is for which line, by the line's id. */
  readonly named: ReadonlyMap<number, number>;
}

/**
 * What was given back of each line: what a refund says of it, then the rest of what it came to, such as its share of the
 * freight, and what is left of the refund then as shares of all others. More than lines came to is given back of none.
 * @param lines each line's id, and what it came to
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
