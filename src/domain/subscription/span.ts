import { addMilliseconds, addMonths, addPeriod, dayIn } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import type { AgreedPlan } from '../../schema/orders.ts';
import type { SubscriptionChange, SubscriptionTerm } from '../../schema/subscriptions.ts';

/** A payment plan, and when its first payment came: instalments are due from then on. */
export interface Plan extends Pick<
  AgreedPlan,
  'payments' | 'after' | 'grace_days' | 'duration' | 'period'
> {
  readonly start: Instant;
}

/** Facts beside its terms that a chain's time depends on. */
export interface Course {
  readonly changes?: readonly SubscriptionChange[];
  readonly plan?: Plan | undefined;
}

/** The time that the terms of a chain add up to, with its pauses and the ends set by hand. */
export interface Span {
  readonly start: Instant;
  /** Null = never. While it is paused, the end it had when the pause began. */
  readonly end_date: Instant | null;
  /** The term that runs last. */
  readonly last: SubscriptionTerm;
  /** The instalments paid; 0 without a plan. */
  readonly paid: number;
  /** The moment the next instalment is due; null if none is. */
  readonly next_due: Instant | null;
  /** The pause it is in. */
  readonly pause: SubscriptionChange | undefined;
}

type ActiveTerm = SubscriptionTerm & { readonly activated_at: Instant };

/** The moment that months are counted from, how many there are, and the day of the month that they go to. */
interface Run {
  readonly from: Instant;
  readonly months: number;
  readonly day: number;
}

/** A chain's time up to some moment. */
interface State {
  readonly end: Instant | null;
  readonly run: Run;
  /** The moment at which its time stands still. */
  readonly frozen: Instant | null;
  readonly pause: SubscriptionChange | undefined;
  readonly paid: number;
  /** The moment from which instalments are due. */
  readonly due_from: Instant;
  /** Milliseconds by which pauses, and ends set by hand, moved the instalments. */
  readonly shift: number;
}

/** Something that happens to a chain; what comes at one moment is ordered by `place`. */
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
 * Counts on from an end that is given. The last day of a month may stand for a later one, which that month doesn't have:
 * the day of the run before is kept then.
 */
function runOn(end: Instant, { day }: Run, timezone: string): Run {
  const run = runFrom(end, timezone);
  const isLast = dayIn(addPeriod(end, 1, 'daily', timezone), timezone) === 1;
  return isLast ? { ...run, day: Math.max(day, run.day) } : run;
}

const between = (from: Instant, to: Instant) => Date.parse(to) - Date.parse(from);

const isActive = (term: SubscriptionTerm): term is ActiveTerm => term.activated_at !== null;

/** Tells an order that pays an instalment: all but a trial do. */
export const isInstalment = ({ type }: Pick<SubscriptionTerm, 'type'>) =>
  type !== 'subscription-tryout';

/**
 * Lays the terms of a chain end to end, in the order they were activated; undefined when none counts.
 * A term after a lapse starts when it is activated. A term with an end of its own ends then. The months
 * of one run are counted from its beginning: two of them from 31 January end on 31 March, not on the 28th.
 * A pause makes the end later by its length. An end set by hand replaces the end before it.
 * Instalments of a plan are due by the calendar from the first of them on, whenever they are paid.
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

/** A chain whose time was over by a moment, or stands still since: it goes on from then. */
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

/** The plan begins at its first payment, or behind the trial. */
const planStep = ({ start }: Plan, timezone: string): Step => ({
  at: start,
  place: [0, 0, 0],
  next: (state) => {
    const begun = goingOn(state, start, timezone);
    return { ...begun, due_from: begun.end ?? start };
  },
});

/** Returns the due date of the instalment behind those that are paid. */
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
