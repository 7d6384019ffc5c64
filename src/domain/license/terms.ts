import { addMilliseconds } from '../../lib/calendar.ts';
import { type Instant, addSeconds } from '../../lib/instant.ts';

/** A term from an order, or a manual end (`order_id` null). */
export interface Term {
  readonly order_id: number | null;
  readonly at: Instant;
  /** The days that an order adds; 0 = for ever. */
  readonly days: number;
  /** The manual end; null = never. */
  readonly until: Instant | null;
}

/** `to` is null if the term never ends. */
export interface Period {
  readonly order_id: number | null;
  readonly from: Instant;
  readonly to: Instant | null;
}

export interface PastPause {
  readonly at: Instant;
  readonly resumed_at: Instant;
}

interface State {
  readonly periods: readonly Period[];
  readonly end: Instant | null;
  readonly frozen: Instant | null;
}

interface Step {
  readonly at: Instant;
  readonly next: (state: State) => State;
}

/**
 * Lays terms end to end in the order in which they were added. An order's time starts at the end of the time before, or
 * when it was added if that is later. A manual end replaces the end before it. Removing a term gives the same result as
 * if it had never existed. A pause moves the remaining time.
 * @returns the periods, and the end of the last; null = never
 */
export function laid(
  terms: readonly Term[],
  pauses: readonly PastPause[] = [],
): { periods: Period[]; end: Instant | null } {
  const steps: Step[] = [
    ...terms.map((term) => ({ at: term.at, next: (state: State) => withTerm(state, term) })),
    ...pauses.flatMap(({ at, resumed_at }) => [
      { at, next: (state: State) => ({ ...state, frozen: at }) },
      { at: resumed_at, next: (state: State) => resumedAt(state, resumed_at) },
    ]),
  ];
  let state: State = { periods: [], end: '', frozen: null };
  for (const { next } of steps.sort((a, b) => a.at.localeCompare(b.at))) state = next(state);
  return { periods: [...state.periods], end: state.end };
}

function withTerm({ periods, end, frozen }: State, { order_id, at, days, until }: Term): State {
  const moment = frozen ?? at;
  const from = order_id !== null && end !== null && end > moment ? end : moment;
  const to = order_id === null ? until : days === 0 ? null : addSeconds(from, days * 86_400);
  return {
    periods: [...periods, { order_id, from, to }],
    end: order_id !== null && end === null ? null : to,
    // A manual end during a pause is moved by the rest of the pause.
    frozen: order_id === null && frozen !== null ? at : frozen,
  };
}

function resumedAt({ periods, end, frozen }: State, at: Instant): State {
  if (frozen === null) return { periods, end, frozen };
  const by = Date.parse(at) - Date.parse(frozen);
  const later = (moment: Instant | null) =>
    moment !== null && moment > frozen ? addMilliseconds(moment, by) : moment;
  return {
    frozen: null,
    end: later(end),
    periods: periods.map(({ from, to, ...period }) => ({
      ...period,
      from: from > frozen ? addMilliseconds(from, by) : from,
      to: later(to),
    })),
  };
}

const ofOrder = ({ order_id }: Term) => order_id !== null;

export const isPaid = (terms: readonly Term[]): boolean => terms.some(ofOrder);

/** Returns the same object if the order has a term already. */
export function withOrder(
  terms: readonly Term[],
  order_id: number,
  days: number,
  now: Date,
): readonly Term[] {
  if (terms.some((term) => term.order_id === order_id)) return terms;
  return [...terms, { order_id, at: next(terms, now), days, until: null }];
}

/** Returns the same object if the order has no term. */
export const withoutOrder = (terms: readonly Term[], order_id: number): readonly Term[] =>
  terms.some((term) => term.order_id === order_id)
    ? terms.filter((term) => term.order_id !== order_id)
    : terms;

/** Replaces an order that no longer counts by another one. */
export const withHeir = (terms: readonly Term[], order_id: number, heir: number): Term[] =>
  terms.map((term) => (term.order_id === order_id ? { ...term, order_id: heir } : term));

/** Replaces an earlier manual end. */
export const withEnd = (terms: readonly Term[], until: Instant | null, now: Date): Term[] => [
  ...terms.filter(ofOrder),
  { order_id: null, at: next(terms, now), days: 0, until },
];

/** The time of a new term: after all others, even if clocks differ. */
const next = (terms: readonly Term[], now: Date): Instant =>
  [now.toISOString(), ...terms.map(({ at }) => at)].reduce((a, b) => (a > b ? a : b));
