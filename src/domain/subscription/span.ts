import { addMilliseconds, addMonths, addPeriod, dayIn } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import type { AgreedPlan } from '../../schema/orders.ts';
import type { SubscriptionChange, SubscriptionTerm } from '../../schema/subscriptions.ts';

/** Instalments are due from the first payment on. */
export interface Plan extends Pick<
  AgreedPlan,
  'payments' | 'after' | 'grace_days' | 'duration' | 'period'
> {
  readonly start: Instant;
}

/** The data that a chain's time depends on, besides its terms. */
export interface Course {
  readonly changes?: readonly SubscriptionChange[];
  readonly plan?: Plan | undefined;
}

/** The sum of a chain's terms, pauses and manual ends. */
export interface Span {
  readonly start: Instant;
  /** Null = never. During a pause, the end at its beginning. */
  readonly end_date: Instant | null;
  /** The last running term. */
  readonly last: SubscriptionTerm;
  /** Instalments; 0 without a plan. */
  readonly paid: number;
  /** The due date of the next instalment; null if there is none. */
  readonly next_due: Instant | null;
  readonly pause: SubscriptionChange | undefined;
}

type ActiveTerm = SubscriptionTerm & { readonly activated_at: Instant };

/** `day` is the day of the month on which the months of the run end. */
interface Run {
  readonly from: Instant;
  readonly months: number;
  readonly day: number;
}

interface State {
  readonly end: Instant | null;
  readonly run: Run;
  /** The start of the current pause. */
  readonly frozen: Instant | null;
  readonly pause: SubscriptionChange | undefined;
  readonly paid: number;
  readonly due_from: Instant;
  /** Milliseconds by which pauses and manual ends moved the instalments. */
  readonly shift: number;
}

/** Events at the same time are ordered by `place`. */
interface Step {
  readonly at: Instant;
  readonly place: readonly [number, number, number];
  readonly next: (state: State) => State;
}

const runFrom = (from: Instant, timezone: string): Run => ({
  from,
  months: 0,
  day: dayIn(from, timezone),
});

/**
 * Continues from an end. If that is the last day of a month, a later day of the earlier run is kept: the month may have
 * been too short for it.
 */
function runOn(end: Instant, { day }: Run, timezone: string): Run {
  const run = runFrom(end, timezone);
  const isLast = dayIn(addPeriod(end, 1, 'daily', timezone), timezone) === 1;
  return isLast ? { ...run, day: Math.max(day, run.day) } : run;
}

const between = (from: Instant, to: Instant) => Date.parse(to) - Date.parse(from);

const isActive = (term: SubscriptionTerm): term is ActiveTerm => term.activated_at !== null;

/** All orders but a trial pay an instalment. */
export const isInstalment = ({ type }: Pick<SubscriptionTerm, 'type'>) =>
  type !== 'subscription-tryout';

/**
 * Lays the terms of a chain end to end, in the order of their activation; undefined if none counts. A term after a
 * lapse starts at its activation. A term with its own end ends then. Months are counted from the beginning of a run:
 * two of them from 31 January end on 31 March, not on the 28th. A pause moves the end by its length. A manual end
 * replaces the end before it. Instalments are due by the calendar from the first one on, whenever they are paid.
 */
export function spanOf(
  terms: readonly SubscriptionTerm[],
  timezone: string,
  { changes = [], plan: agreed }: Course = {},
): Span | undefined {
  const active = terms
    .filter(isActive)
    .sort((a, b) => a.activated_at.localeCompare(b.activated_at) || a.order_id - b.order_id);
  const [first] = active;
  const last = active.at(-1);
  if (!first || !last) return undefined;
  const plan = active.some(isInstalment) ? agreed : undefined;
  const start = plan && plan.start < first.activated_at ? plan.start : first.activated_at;
  const steps = [
    ...active.map((term) => termStep(term, plan, timezone)),
    ...(plan ? [planStep(plan, timezone)] : []),
    ...changes.filter(({ at }) => at >= start).flatMap((change) => changeSteps(change, timezone)),
  ].sort(compareSteps);
  let state: State = {
    ...{ end: start, run: runFrom(start, timezone), frozen: null, pause: undefined },
    ...{ paid: 0, due_from: start, shift: 0 },
  };
  for (const { next } of steps) state = next(state);
  const { end, paid, pause } = state;
  const isOpen = plan && paid < plan.payments;
  const next_due = isOpen ? dueAfter(state, plan, timezone) : null;
  return { start, end_date: end, last, paid, next_due, pause };
}

const compareSteps = (a: Step, b: Step) =>
  a.at.localeCompare(b.at) ||
  a.place[0] - b.place[0] ||
  a.place[1] - b.place[1] ||
  a.place[2] - b.place[2];

/** Continues a chain that had ended or was paused. */
function goingOn(state: State, at: Instant, timezone: string): State {
  const moment = state.frozen ?? at;
  if (state.end === null || moment <= state.end) return state;
  return { ...state, end: moment, run: runFrom(moment, timezone) };
}

const termStep = (term: ActiveTerm, plan: Plan | undefined, timezone: string): Step => ({
  at: term.activated_at,
  place: [1, term.order_id, 0],
  next: (state) =>
    plan && isInstalment(term)
      ? withInstalment(state, plan, timezone)
      : withTerm(goingOn(state, term.activated_at, timezone), term, timezone),
});

function withTerm(state: State, { period, duration, until }: ActiveTerm, timezone: string): State {
  const { end, run } = state;
  if (until !== null) return { ...state, end: until, run: runOn(until, run, timezone) };
  if (end === null) return state;
  if (period === 'daily') {
    const later = addPeriod(end, duration, 'daily', timezone);
    return { ...state, end: later, run: runFrom(later, timezone) };
  }
  const months = run.months + (period === 'yearly' ? 12 * duration : duration);
  const later = addMonths(run.from, months, run.day, timezone);
  return { ...state, end: later, run: { ...run, months } };
}

/** Starts at the first payment, or after the trial. */
const planStep = ({ start }: Plan, timezone: string): Step => ({
  at: start,
  place: [0, 0, 0],
  next: (state) => {
    const begun = goingOn(state, start, timezone);
    return { ...begun, due_from: begun.end ?? start };
  },
});

/** The due date of the first unpaid instalment. */
function dueAfter({ due_from, paid, shift }: State, plan: Plan, timezone: string): Instant {
  return addMilliseconds(addPeriod(due_from, paid * plan.duration, plan.period, timezone), shift);
}

function withInstalment(state: State, plan: Plan, timezone: string): State {
  const next = { ...state, paid: state.paid + 1 };
  const isLast = next.paid >= plan.payments;
  if (isLast && plan.after === 'keep') return { ...next, end: null };
  const due = dueAfter(next, plan, timezone);
  return { ...next, end: isLast ? due : addPeriod(due, plan.grace_days, 'daily', timezone) };
}

function changeSteps(change: SubscriptionChange, timezone: string): Step[] {
  const { id, kind, at, until, resumed_at } = change;
  if (kind === 'end') {
    return [{ at, place: [2, id, 0], next: (state) => endedAt(state, until ?? at, at, timezone) }];
  }
  const begin = (state: State): State => ({ ...state, frozen: at, pause: change });
  return [
    { at, place: [2, id, 0], next: begin },
    ...(resumed_at === null
      ? []
      : [
          {
            at: resumed_at,
            place: [2, id, 1] as const,
            next: (state: State) => resumedAt(state, resumed_at, timezone),
          },
        ]),
  ];
}

function endedAt(state: State, until: Instant, at: Instant, timezone: string): State {
  const { end, run, shift, frozen } = state;
  return {
    ...state,
    end: until,
    run: runOn(until, run, timezone),
    shift: end === null ? shift : shift + between(end, until),
    frozen: frozen && at,
  };
}

function resumedAt(state: State, at: Instant, timezone: string): State {
  const { end, run, shift, frozen } = state;
  const resumed = { ...state, frozen: null, pause: undefined };
  if (frozen === null || end === null) return resumed;
  const paused = between(frozen, at);
  const later = addMilliseconds(end, paused);
  return { ...resumed, end: later, run: runOn(later, run, timezone), shift: shift + paused };
}
