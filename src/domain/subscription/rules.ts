import type { subscriptionTerms, SubscriptionColumns } from '../../schema/subscriptions.ts';
import { addPeriod, daysUntil } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import { type ProductTerms, priceOf, renewableUntil } from './offer.ts';
import type { Subscription } from './schemas.ts';

export type Term = typeof subscriptionTerms.$inferSelect;

/** A subscription as stored, with its product and the store's time zone. */
export interface SubscriptionRow {
  readonly subscription: SubscriptionColumns;
  readonly product: ProductTerms & { readonly title: string };
  readonly timezone: string;
}

/** The status at a moment: an end counts from when it comes, not from when it is noted down. */
export const statusAt = ({ status, end_date }: SubscriptionColumns, now: Instant) =>
  status === 'active' && end_date !== null && end_date <= now ? 'expired' : status;

/** The record of a subscription at a moment. */
export function toSubscription(
  { subscription, product, timezone }: SubscriptionRow,
  now: Instant,
): Subscription {
  const { order_id, first_order_id, end_date } = subscription;
  return {
    ...subscription,
    order_parent_id: first_order_id === order_id ? null : first_order_id,
    product_name: product.title,
    status: statusAt(subscription, now),
    days_left: end_date === null ? 0 : daysUntil(end_date, now, timezone),
    renewable_until: end_date && renewableUntil(product, end_date, timezone),
    renew_price: priceOf(product),
  };
}

/** What the terms of a chain come to. */
export interface Span {
  readonly start: Instant;
  readonly end_date: Instant;
  /** The term that runs last. */
  readonly last: Term;
}

type ActiveTerm = Term & { readonly activated_at: Instant };

/**
 * Lays the terms of a chain end to end, in the order they were activated; undefined when none counts.
 * One that comes after a lapse starts when it is activated; one whose end is given ends then. The months
 * of one run are counted from its beginning: two of them from 31 January end on 31 March, not on the 28th.
 */
export function spanOf(terms: readonly Term[], timezone: string): Span | undefined {
  const active = terms
    .filter((term): term is ActiveTerm => term.activated_at !== null)
    .sort((a, b) => a.activated_at.localeCompare(b.activated_at) || a.order_id - b.order_id);
  const [first] = active;
  const last = active.at(-1);
  if (!first || !last) return undefined;
  let from = first.activated_at;
  let months = 0;
  let end = from;
  for (const { activated_at, period, duration, until } of active) {
    if (activated_at > end) {
      [from, months, end] = [activated_at, 0, activated_at];
    }
    if (until !== null || period === 'daily') {
      end = until ?? addPeriod(end, duration, 'daily', timezone);
      [from, months] = [end, 0];
    } else {
      months += period === 'yearly' ? 12 * duration : duration;
      end = addPeriod(from, months, 'monthly', timezone);
    }
  }
  return { start: first.activated_at, end_date: end, last };
}
