import type { DomainEvent } from '../../kernel/events/define.ts';
import { addMilliseconds } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import type { OrderStatus } from '../../schema/lists.ts';
import { type OrderChange, firstOfChain } from '../order/change.ts';
import { statusGroup } from '../order/transitions.ts';
import { subscriptionEvent } from './events.ts';
import { durationOf } from './offer.ts';
import { type SubscriptionRow, overStatus, statusAt, toSubscription } from './rules.ts';
import { type Course, type Span, isInstalment, spanOf } from './span.ts';
import type { AgreedPlan, OrderColumns, OrderVariant } from '../../schema/orders.ts';
import type {
  SubscriptionChange,
  SubscriptionColumns,
  SubscriptionTerm,
} from '../../schema/subscriptions.ts';

export interface Chain {
  /** None before the first order completes. */
  readonly subscription: SubscriptionColumns | undefined;
  /** With the status and the options of each order. */
  readonly terms: readonly (SubscriptionTerm & Pick<OrderColumns, 'status' | 'variants'>)[];
  /** Pauses and manual ends. */
  readonly changes: readonly SubscriptionChange[];
}

/** The facts that tell the time of a chain's terms. */
export type ChainFacts = Pick<SubscriptionRow, 'subscription' | 'agreed' | 'timezone'> & {
  readonly terms: readonly SubscriptionTerm[];
  readonly changes: readonly SubscriptionChange[];
};

export interface ChangedChain {
  readonly subscription: SubscriptionColumns | undefined;
  readonly term: SubscriptionTerm;
  /** The change's effect on the subscription. */
  readonly step: 'activated' | 'given-back' | undefined;
  /** Another order of a payment plan that counts. */
  readonly heir: number | undefined;
  /** Instalments that are paid or open. */
  readonly instalments: number;
  /** The options of the last term, which renewals have. */
  readonly variants: readonly OrderVariant[];
}

/** The options of a term; those of the first order if it names none, as former renewals and imports may. */
const variantsOfTerm = (
  { variants }: Pick<OrderColumns, 'variants'>,
  first: Pick<OrderColumns, 'variants'>,
) => (variants.length > 0 ? variants : first.variants);

/**
 * An order's term counts from its completion until the order is cancelled, refunded or waits for payment again.
 * @param id for a subscription that begins with this change
 */
export function chainAfter(change: OrderChange, chain: Chain, id: number): ChangedChain {
  const { before, after, settings, now } = change;
  const at = now.toISOString();
  const first_order_id = firstOfChain(after);
  const held = chain.terms.find(({ order_id }) => order_id === after.id) ?? newTerm(change);
  const activated_at = activation(held, after.status, behindEnds(chain.changes, at));
  const term = { ...held, activated_at, until: activated_at && held.until };
  const step = stepOf(held, term);
  const others = chain.terms.filter(({ order_id }) => order_id !== after.id);
  const known = chain.subscription;
  const { plan } = after.agreed;
  const plan_start = planStart(known, others, term, step, plan);
  const heir = plan ? others.find((other) => other.activated_at !== null)?.order_id : undefined;
  const instalments = [...others, { ...term, status: after.status }].filter(
    (each) => isInstalment(each) && statusGroup(each.status) !== 'closed',
  ).length;
  const span = spanOf(
    [...others, term],
    settings.timezone,
    courseOf(chain.changes, plan, plan_start),
  );
  const last = others.find(({ order_id }) => order_id === (span?.last ?? known)?.order_id);
  const first = others.find(({ order_id }) => order_id === first_order_id);
  const variants = variantsOfTerm(last ?? after, first ?? after);
  const facts = { term, step, heir, instalments, variants };
  const concerned = step !== undefined || after.id === first_order_id;
  if (!concerned || (!known && !span)) return { subscription: known, ...facts };
  const status = span
    ? spanStatus(span, known?.cancelled_at ?? null, at)
    : emptyStatus(after.status, before !== null, known);
  if (known && !step && status === statusAt(known, at)) return { subscription: known, ...facts };
  const base = known ?? newSubscription(after, id, at);
  return {
    ...facts,
    subscription: { ...base, plan_start, ...spanColumns(base, span, plan, at), status },
  };
}

/** The start of a term: after all manual ends, even if clocks differ. */
function behindEnds(changes: readonly SubscriptionChange[], at: Instant): Instant {
  const last = changes.reduce(
    (latest, { kind, at }) => (kind === 'end' && at > latest ? at : latest),
    '',
  );
  return last < at ? at : addMilliseconds(last, 1);
}

/** The term that an order pays for, as agreed when the order was placed. */
function newTerm({ after, product }: OrderChange): SubscriptionTerm {
  const { id: order_id, type, agreed } = after;
  const { duration, period } = (isInstalment(after) && agreed.plan) || durationOf(product, type);
  const first_order_id = firstOfChain(after);
  return { order_id, first_order_id, type, duration, period, activated_at: null, until: null };
}

function newSubscription(
  { user_id, product_id, id: order_id, order_parent_id, type }: OrderColumns,
  id: number,
  at: Instant,
): SubscriptionColumns {
  const first_order_id = order_parent_id ?? order_id;
  return {
    ...{ id, user_id, product_id, first_order_id, order_id, type, status: 'pending' },
    ...{ start: null, end_date: null, announced_end: null },
    ...{ payments: null, paid: null, plan_start: null, next_due: null, announced_due: null },
    ...{ paused_at: null, resumes_at: null, cancelled_at: null, cancelled_by: null },
    ...{ cancel_reason: null, next_price: null, note: null },
    ...{ created_at: at, updated_at: at, version: 0 },
  };
}

/** The first payment of a plan starts it, unless another payment counts already. */
function planStart(
  known: SubscriptionColumns | undefined,
  others: readonly SubscriptionTerm[],
  term: SubscriptionTerm,
  step: ChangedChain['step'],
  plan: AgreedPlan | null,
): Instant | null {
  const begins = plan && step === 'activated' && isInstalment(term);
  const counts = others.some((other) => isInstalment(other) && other.activated_at !== null);
  return begins && !counts ? term.activated_at : (known?.plan_start ?? null);
}

export const courseOf = (
  changes: readonly SubscriptionChange[],
  plan: AgreedPlan | null,
  start: Instant | null,
): Course => ({ changes, plan: plan && start ? { ...plan, start } : undefined });

/**
 * Tells if the last term of a chain is still to begin. A pause stops the time; an end that was set since then counts only
 * if it takes the term away. The days of grace belong to no term.
 */
export function hasTermAhead(
  { subscription, terms, changes, agreed: { plan }, timezone }: ChainFacts,
  now: Instant,
): boolean {
  const { order_id, plan_start, paused_at, end_date } = subscription;
  const last = terms.find((term) => term.order_id === order_id);
  const former = changes.filter(
    ({ kind, at }) => kind === 'pause' || at <= (last?.activated_at ?? at),
  );
  const course = courseOf(former, plan && { ...plan, grace_days: 0 }, plan_start);
  const earlier = terms.filter((term) => term !== last);
  const begin = spanOf(earlier, timezone, course)?.end_date;
  if (begin === undefined) return false;
  const isKept = begin === null || end_date === null || begin < end_date;
  return isKept && (begin === null || begin > (paused_at ?? now));
}

export const spanColumns = (
  known: SubscriptionColumns,
  span: Span | undefined,
  plan: AgreedPlan | null,
  at: Instant,
) => ({
  order_id: span?.last.order_id ?? known.order_id,
  type: span?.last.type ?? known.type,
  start: span?.start ?? null,
  end_date: span?.end_date ?? null,
  payments: plan && plan.payments,
  paid: plan && (span?.paid ?? 0),
  next_due: span?.next_due ?? null,
  paused_at: span?.pause?.at ?? null,
  resumes_at: span?.pause?.until ?? null,
  updated_at: at,
  version: known.version + 1,
});

/** The status while terms count. */
export function spanStatus({ pause, end_date }: Span, cancelled_at: Instant | null, at: Instant) {
  if (pause) return 'paused';
  return end_date === null || end_date > at ? 'active' : overStatus(cancelled_at);
}

/** The start of a term, by the order's new status. */
function activation(
  { activated_at }: SubscriptionTerm,
  status: OrderStatus,
  at: Instant,
): Instant | null {
  switch (status) {
    case 'completed':
      return activated_at ?? at;
    case 'in-progress':
    case 'shipping':
      return activated_at;
    case 'on-hold':
    case 'payment-confirm':
    case 'refunded':
    case 'cancelled':
      return null;
  }
}

function stepOf(before: SubscriptionTerm, after: SubscriptionTerm): ChangedChain['step'] {
  if ((before.activated_at === null) === (after.activated_at === null)) return undefined;
  return after.activated_at === null ? 'given-back' : 'activated';
}

/** The status while no term counts. */
function emptyStatus(
  status: OrderStatus,
  existed: boolean,
  known: SubscriptionColumns | undefined,
) {
  if (statusGroup(status) === 'closed') return 'inactive';
  return existed && status === 'on-hold' ? 'pending' : (known?.status ?? 'pending');
}

/** The subscription starts, is extended or ends. */
export function chainEvents(
  { after, product, buyer, settings, now }: OrderChange,
  before: SubscriptionColumns | undefined,
  { subscription, step, instalments, variants }: ChangedChain,
): DomainEvent[] {
  if (!subscription || subscription === before) return [];
  const { timezone } = settings;
  const { agreed, quantity } = after;
  const { group } = buyer;
  const row = { subscription, instalments, product, agreed, quantity, variants, group, timezone };
  const record = toSubscription(row, now.toISOString());
  if (subscription.status === 'active') {
    return step === 'activated' ? [subscriptionEvent('subscription.active', record)] : [];
  }
  if (subscription.status === 'paused') return [subscriptionEvent('subscription.updated', record)];
  return before?.status === 'active' || before?.status === 'paused'
    ? [subscriptionEvent('subscription.expired', record)]
    : [];
}
