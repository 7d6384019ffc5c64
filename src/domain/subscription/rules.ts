import type { subscriptionTerms, SubscriptionColumns } from '../../schema/subscriptions.ts';
import { addMonths, addPeriod, dayIn, daysUntil } from '../../lib/calendar.ts';
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

/** The time that the terms of a chain add up to. */
export interface Span {
  readonly start: Instant;
  readonly end_date: Instant;
  /** The term that runs last. */
  readonly last: Term;
}

type ActiveTerm = Term & { readonly activated_at: Instant };

/** The moment that months are counted from, how many there are, and the day of the month that they go to. */
interface Run {
  readonly from: Instant;
  readonly months: number;
  readonly day: number;
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
  let end = first.activated_at;
  let run = runFrom(end, timezone);
  for (const { activated_at, period, duration, until } of active) {
    if (activated_at > end) {
      end = activated_at;
      run = runFrom(end, timezone);
    }
    if (until !== null) {
      end = until;
      run = runOn(end, run, timezone);
    } else if (period === 'daily') {
      end = addPeriod(end, duration, 'daily', timezone);
      run = runFrom(end, timezone);
    } else {
      run = { ...run, months: run.months + (period === 'yearly' ? 12 * duration : duration) };
      end = addMonths(run.from, run.months, run.day, timezone);
    }
  }
  return { start: first.activated_at, end_date: end, last };
}
