import { isDeepStrictEqual } from 'node:util';
import { type ProductParts, defaultParts } from '../../../../src/exports/store.ts';

export type Span = Pick<ProductParts['subscription']['tryout'], 'duration' | 'period'>;

/** The terms on which a shop charges for a product again. */
export interface Recurrence {
  /** Undefined if it is unknown. */
  readonly term: Span | undefined;
  /** The number of payments; 0 = until it is cancelled. */
  readonly payments: number;
  /** Charged with the first payment or, if there is a trial, with the trial. */
  readonly signupFee: number;
  /** Null without a trial; undefined if its length is unknown. */
  readonly trial: Span | null | undefined;
}

/**
 * Returns the subscription that a product sells at each of its prices. Undefined if the store can't sell it: the prices
 * have different terms, a number of payments ends it, or a trial costs a fee.
 * @param prices null for a price that is charged once
 */
export function subscriptionOf(
  prices: readonly (Recurrence | null)[],
): ProductParts['subscription'] | undefined {
  const [first, ...others] = prices;
  if (!first?.term || first.trial === undefined || first.payments > 0) return undefined;
  const { term, trial, signupFee } = first;
  const isAlike = others.every((other) => isDeepStrictEqual(other, first));
  if (!isAlike || (trial && signupFee > 0)) return undefined;
  const usual = defaultParts.subscription;
  return {
    ...usual,
    active: true,
    regular: { ...usual.regular, ...term },
    tryout: { ...usual.tryout, ...trial, active: trial !== null },
    signup: { active: signupFee > 0, fee: signupFee },
  };
}

/** Tells if two spans have the same length: a year is twelve months. */
export const isSameSpan = (one: Span, other: Span): boolean =>
  isDeepStrictEqual(inMonths(one), inMonths(other));

const inMonths = ({ duration, period }: Span): Span =>
  period === 'yearly' ? { duration: 12 * duration, period: 'monthly' } : { duration, period };
