import { type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import type { DomainEvent } from '../../kernel/events/define.ts';
import type { Instant } from '../../lib/instant.ts';
import { isSame, withoutUndefined } from '../../lib/objects.ts';
import type {
  SubscriptionChange,
  SubscriptionColumns,
  SubscriptionTerm,
} from '../../schema/subscriptions.ts';
import { courseOf, spanColumns, spanStatus } from './chain.ts';
import { stateChanged } from '../user/events.ts';
import { subscriptionEvent } from './events.ts';
import { type SubscriptionRow, lowestPrice, statusAt, toSubscription } from './rules.ts';
import type { SubscriptionCancel, SubscriptionUpdate } from './schemas.ts';
import { spanOf } from './span.ts';

export interface SubscriptionState extends SubscriptionRow {
  readonly terms: readonly SubscriptionTerm[];
  readonly changes: readonly SubscriptionChange[];
}

export interface ChangeRequest {
  readonly by: 'store' | 'member';
  readonly now: Date;
  /** For a pause or an end. */
  readonly id: number;
}

/** A change that no order made. */
export interface SubscriptionMove {
  readonly subscription: SubscriptionColumns;
  /** A new pause or manual end. */
  readonly added: SubscriptionChange | undefined;
  /** The end of its earlier pause. */
  readonly resumed_at: Instant | undefined;
  readonly event: 'updated' | 'paused' | 'resumed' | 'cancelled' | undefined;
}

type Changing = Partial<Pick<SubscriptionMove, 'added' | 'resumed_at'>> & {
  readonly fields?: Partial<SubscriptionColumns>;
};

const eventNames = {
  updated: 'subscription.updated',
  paused: 'subscription.paused',
  resumed: 'subscription.resumed',
  cancelled: 'subscription.cancelled',
} as const;

export function moveEvents(
  row: SubscriptionRow,
  { subscription, event }: SubscriptionMove,
  now: Date,
): DomainEvent[] {
  const changed = stateChanged(subscription.user_id, 'subscriptions');
  if (!event) return [changed];
  const record = toSubscription({ ...row, subscription }, now.toISOString());
  const own = subscriptionEvent(eventNames[event], record);
  if (!lacksEndEvent(row.subscription, { subscription, event }, now.toISOString()))
    return [own, changed];
  const ended = subscriptionEvent('subscription.expired', record);
  return event === 'resumed' ? [own, ended, changed] : [ended, own, changed];
}

/** Returns true if the job has not raised the event of an end that came before the change, or with the end of a pause. */
const lacksEndEvent = (
  before: SubscriptionColumns,
  { subscription, event }: Pick<SubscriptionMove, 'subscription' | 'event'>,
  at: Instant,
): boolean =>
  !isOver(before.status) &&
  isOver(subscription.status) &&
  (event === 'resumed' || isOver(statusAt(before, at)));

const isOver = (status: SubscriptionColumns['status']): boolean =>
  status === 'expired' || status === 'cancelled';

const unmoved = ({ subscription }: SubscriptionState): SubscriptionMove => ({
  subscription,
  added: undefined,
  resumed_at: undefined,
  event: undefined,
});

/** Recalculates a subscription from its terms, pauses and ends. */
function moved(
  { subscription, terms, changes, agreed: { plan }, timezone }: SubscriptionState,
  { fields, added, resumed_at }: Changing,
  event: SubscriptionMove['event'],
  now: Date,
): SubscriptionMove {
  const at = now.toISOString();
  const known = { ...subscription, ...fields };
  const closed = resumed_at === undefined ? changes : changes.map(resumed(resumed_at));
  const all = added ? [...closed, added] : closed;
  const span = spanOf(terms, timezone, courseOf(all, plan, known.plan_start));
  const status = span ? spanStatus(span, known.cancelled_at, at) : known.status;
  return {
    ...{ added, resumed_at, event },
    subscription: { ...known, ...spanColumns(known, span, plan, at), status },
  };
}

const resumed =
  (at: Instant) =>
  (change: SubscriptionChange): SubscriptionChange =>
    change.kind === 'pause' && change.resumed_at === null ? { ...change, resumed_at: at } : change;

/** Returns the time of a change: never before the data that it changes, even if clocks differ. */
const momentOf = ({ terms, changes }: SubscriptionState, now: Date): Instant =>
  [
    ...terms.map(({ activated_at }) => activated_at),
    ...changes.flatMap(({ at, resumed_at }) => [at, resumed_at]),
  ].reduce<Instant>((latest, at) => (at !== null && at > latest ? at : latest), now.toISOString());

const endRow = ({ first_order_id }: SubscriptionColumns, id: number, at: Instant, until: Instant) =>
  ({ id, first_order_id, kind: 'end', at, until, resumed_at: null }) as const;

/** A cancelled subscription can't be renewed. It ends at its end or at once. */
export function cancelled(
  state: SubscriptionState,
  { at, reason }: SubscriptionCancel,
  { by, now, id }: ChangeRequest,
): SubscriptionMove | Refusal<'subscription_over'> {
  const { subscription } = state;
  const moment = momentOf(state, now);
  const status = statusAt(subscription, moment);
  if (['pending', 'inactive', 'cancelled'].includes(status)) return refuse('subscription_over');
  const { cancelled_at, cancelled_by } = subscription;
  const isAsked = cancelled_at !== null && (by === 'member' || cancelled_by === 'store');
  if (at === 'end' && isAsked) return unmoved(state);
  const fields = { cancelled_at: moment, cancelled_by: by, cancel_reason: reason ?? null };
  if (at === 'end' || status === 'expired') return moved(state, { fields }, 'cancelled', now);
  const added = endRow(subscription, id, moment, moment);
  const resumed_at = status === 'paused' ? moment : undefined;
  return moved(state, { fields, added, resumed_at }, 'cancelled', now);
}

export function paused(
  state: SubscriptionState,
  until: Instant | undefined,
  { now, id }: ChangeRequest,
): SubscriptionMove | Refusal<'subscription_over' | 'subscription_paused' | 'rest_invalid_param'> {
  const { first_order_id } = state.subscription;
  const at = momentOf(state, now);
  const status = statusAt(state.subscription, at);
  if (status === 'paused') return refuse('subscription_paused');
  if (status !== 'active') return refuse('subscription_over');
  if (until !== undefined && until <= at) {
    return refuse('rest_invalid_param', { params: { until: 'must be in the future' } });
  }
  const kind = 'pause' as const;
  const added = { id, first_order_id, kind, at, until: until ?? null, resumed_at: null };
  return moved(state, { added }, 'paused', now);
}

/** Ends a pause, or else withdraws a scheduled change. Members can undo only their own changes. */
export function resumedBy(
  state: SubscriptionState,
  { by, now }: Omit<ChangeRequest, 'id'>,
): SubscriptionMove | Refusal<'nothing_to_resume'> {
  const { subscription } = state;
  const { cancelled_at, cancelled_by, next_price } = subscription;
  const isMember = by === 'member';
  const moment = momentOf(state, now);
  const status = statusAt(subscription, moment);
  if (status === 'paused' && !isMember) {
    return moved(state, { resumed_at: moment }, 'resumed', now);
  }
  const isRunning = status === 'active' || status === 'paused';
  const isCancelled = cancelled_at !== null && (!isMember || cancelled_by === 'member');
  const isPriced = next_price !== null && !isMember;
  if (!isRunning || (!isCancelled && !isPriced)) return refuse('nothing_to_resume');
  const fields = {
    ...(isCancelled && { cancelled_at: null, cancelled_by: null, cancel_reason: null }),
    ...(isPriced && { next_price: null }),
  };
  return moved(state, { fields }, 'resumed', now);
}

/** Ends a pause that is over; undefined if there is none. */
export function resumedByItself(state: SubscriptionState, now: Date): SubscriptionMove | undefined {
  const { status, resumes_at } = state.subscription;
  if (status !== 'paused' || resumes_at === null || resumes_at > now.toISOString())
    return undefined;
  return moved(state, { resumed_at: resumes_at }, 'resumed', now);
}

export function updatedSubscription(
  state: SubscriptionState,
  { end_date, ...input }: SubscriptionUpdate,
  { now, id }: ChangeRequest,
): SubscriptionMove | Refusal<'subscription_over' | 'subscription_paused' | 'rest_invalid_param'> {
  const { subscription } = state;
  const fields = withoutUndefined(input);
  const lowest = lowestPrice(state);
  if ((fields.next_price ?? lowest) < lowest) {
    return refuse('rest_invalid_param', {
      params: { next_price: `must be ${lowest} at least: the options take this off` },
    });
  }
  const added = end_date === undefined ? undefined : endSet(state, end_date, id, now);
  if (isRefusal(added)) return added;
  if (!added && isSame(subscription, { ...subscription, ...fields })) return unmoved(state);
  return moved(state, { fields, added }, 'updated', now);
}

/** Undefined if the end is the same already. */
function endSet(state: SubscriptionState, until: Instant, id: number, now: Date) {
  const { subscription } = state;
  const at = momentOf(state, now);
  const status = statusAt(subscription, at);
  if (status === 'paused') return refuse('subscription_paused');
  if (['pending', 'inactive', 'cancelled'].includes(status)) return refuse('subscription_over');
  if (until === subscription.end_date) return undefined;
  if (until <= at) {
    return refuse('rest_invalid_param', {
      params: { end_date: 'must be in the future: cancel the subscription to end it now' },
    });
  }
  return endRow(subscription, id, at, until);
}
