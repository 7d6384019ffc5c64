import type { DomainEvent } from '../../kernel/events/define.ts';
import type { Instant } from '../../lib/instant.ts';
import type { OrderStatus } from '../../schema/lists.ts';
import { type OrderChange, firstOfChain } from '../order/change.ts';
import { statusGroup } from '../order/transitions.ts';
import { subscriptionEvent } from './events.ts';
import { durationOf } from './offer.ts';
import { type Span, type Term, spanOf, statusAt, toSubscription } from './rules.ts';
import { type SubscriptionColumns } from '../../schema/subscriptions.ts';

/** A chain of subscription orders as it stands. */
export interface Chain {
  /** None before the first order completes. */
  readonly subscription: SubscriptionColumns | undefined;
  readonly terms: readonly Term[];
}

/** A chain after a change of one of its orders. */
export interface ChangedChain {
  readonly subscription: SubscriptionColumns | undefined;
  readonly term: Term;
  /** The effect of this change on the subscription. */
  readonly step: 'activated' | 'given-back' | undefined;
}

/**
 * Works out a chain after a change of one of its orders. An order's term counts from its completion until the order
 * is cancelled, refunded or waits for its payment again.
 * @param id the new subscription's, if it begins with this change
 */
export function chainAfter(change: OrderChange, chain: Chain, id: number): ChangedChain {
  const { before, after, product, settings, now } = change;
  const at = now.toISOString();
  const first_order_id = firstOfChain(after);
  const held: Term = chain.terms.find(({ order_id }) => order_id === after.id) ?? {
    order_id: after.id,
    first_order_id,
    type: after.type,
    duration: durationOf(product, after.type).duration,
    period: durationOf(product, after.type).period,
    activated_at: null,
    until: null,
  };
  const activated_at = activation(held, after.status, at);
  const term = { ...held, activated_at, until: activated_at && held.until };
  const step = stepOf(held, term);
  const others = chain.terms.filter(({ order_id }) => order_id !== after.id);
  const span = spanOf([...others, term], settings.timezone);
  const known = chain.subscription;
  const concerned = step !== undefined || after.id === first_order_id;
  if (!concerned || (!known && !span)) return { subscription: known, term, step };
  const status = span ? spanStatus(span, at) : emptyStatus(after.status, before !== null, known);
  if (known && !step && status === statusAt(known, at)) return { subscription: known, term, step };
  const { user_id, product_id } = after;
  return {
    term,
    step,
    subscription: {
      id,
      user_id,
      product_id,
      first_order_id,
      announced_end: null,
      created_at: at,
      ...known,
      order_id: span?.last.order_id ?? known?.order_id ?? after.id,
      type: span?.last.type ?? known?.type ?? after.type,
      status,
      start: span?.start ?? null,
      end_date: span?.end_date ?? null,
      updated_at: at,
      version: (known?.version ?? 0) + 1,
    },
  };
}

/** Returns the start of a term in the order's new status. */
function activation({ activated_at }: Term, status: OrderStatus, at: Instant): Instant | null {
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

function stepOf(before: Term, after: Term): ChangedChain['step'] {
  if ((before.activated_at === null) === (after.activated_at === null)) return undefined;
  return after.activated_at === null ? 'given-back' : 'activated';
}

const spanStatus = ({ end_date }: Span, at: Instant) => (end_date > at ? 'active' : 'expired');

/** The status of a subscription none of whose terms counts, after its order reached a status. */
function emptyStatus(
  status: OrderStatus,
  existed: boolean,
  known: SubscriptionColumns | undefined,
) {
  if (statusGroup(status) === 'closed') return 'inactive';
  return existed && status === 'on-hold' ? 'pending' : (known?.status ?? 'pending');
}

/** Returns the events of a chain's change: the subscription runs, runs longer, or is over. */
export function chainEvents(
  { product, settings, now }: OrderChange,
  before: SubscriptionColumns | undefined,
  { subscription, step }: ChangedChain,
): DomainEvent[] {
  if (!subscription || subscription === before) return [];
  const { timezone } = settings;
  const record = toSubscription({ subscription, product, timezone }, now.toISOString());
  if (subscription.status === 'active') {
    return step === 'activated' ? [subscriptionEvent('subscription.active', record)] : [];
  }
  return before?.status === 'active' ? [subscriptionEvent('subscription.expired', record)] : [];
}
