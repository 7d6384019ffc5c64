import { type Instant, addSeconds } from '../../lib/instant.ts';

/** A term of a licence: from an order, or an end that was set by hand (`order_id` null). */
export interface Term {
  readonly order_id: number | null;
  readonly at: Instant;
  /** The days that an order adds; 0 = for ever. */
  readonly days: number;
  /** The end that was set by hand; null = never. */
  readonly until: Instant | null;
}

/** From when until when a term holds; null = for ever. */
export interface Period {
  readonly order_id: number | null;
  readonly from: Instant;
  readonly to: Instant | null;
}

/**
 * Lays terms, in the order they came, one behind the other: an order's time starts at the end of what
 * was there, or when it came if that is later; an end set by hand is the end whatever it was before.
 * So without one of them the others are as if it had never been.
 * @returns the periods, and the end of the last; null = never
 */
export function laid(terms: readonly Term[]): { periods: Period[]; end: Instant | null } {
  let end: Instant | null = '';
  const periods = terms.map(({ order_id, at, days, until }): Period => {
    const from = order_id !== null && end !== null && end > at ? end : at;
    const to = order_id === null ? until : days === 0 ? null : addSeconds(from, days * 86_400);
    end = order_id !== null && end === null ? null : to;
    return { order_id, from, to };
  });
  return { periods, end };
}

const ofOrder = ({ order_id }: Term) => order_id !== null;

/** True if any term comes from an order. */
export const isPaid = (terms: readonly Term[]): boolean => terms.some(ofOrder);

/** The terms with an order's; the same when it has one already. */
export function withOrder(
  terms: readonly Term[],
  order_id: number,
  days: number,
  now: Date,
): readonly Term[] {
  if (terms.some((term) => term.order_id === order_id)) return terms;
  return [...terms, { order_id, at: next(terms, now), days, until: null }];
}

/** The terms without an order's; the same when it has none. */
export const withoutOrder = (terms: readonly Term[], order_id: number): readonly Term[] =>
  terms.some((term) => term.order_id === order_id)
    ? terms.filter((term) => term.order_id !== order_id)
    : terms;

/** The terms with an end set by hand, in place of an earlier one. */
export const withEnd = (terms: readonly Term[], until: Instant | null, now: Date): Term[] => [
  ...terms.filter(ofOrder),
  { order_id: null, at: next(terms, now), days: 0, until },
];

/** The moment of a term that comes after the others, whichever clock these were written by. */
const next = (terms: readonly Term[], now: Date): Instant =>
  [now.toISOString(), ...terms.map(({ at }) => at)].reduce((a, b) => (a > b ? a : b));
