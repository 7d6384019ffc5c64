import { sql } from 'drizzle-orm';
import { check, index, integer as int4, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { orderTypes } from './lists.ts';
import * as column from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { periods } from './product-parts.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** `pending`: the subscription waits for its money again; `inactive`: all its payments were refunded. */
export const subscriptionStatuses = [
  'pending',
  'active',
  'paused',
  'inactive',
  'expired',
  'cancelled',
] as const;

/** Parties that cancel a subscription: members undo only their own cancellation. */
export const cancellers = ['store', 'member'] as const;

export const subscriptionChangeKinds = ['pause', 'end'] as const;

/**
 * Chains of subscription orders: one row each, from its first completed order on. Start and end follow from the terms
 * of its orders.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: column.id(),
    user_id: column.reference(() => users.id),
    product_id: column.reference(() => products.id),
    /** The first order of the chain, which is the parent of the others. */
    first_order_id: column.reference(() => orders.id, { onDelete: 'cascade' }),
    /** The order with the last running term, and its type. */
    order_id: column.integer().notNull(),
    type: column.choice(orderTypes).notNull(),
    /** The stored status; a subscription counts as expired from its end on. */
    status: column.choice(subscriptionStatuses).notNull(),
    start: column.instant(),
    end_date: column.instant(),
    /** The end that was last announced as coming soon. */
    announced_end: column.instant(),
    /** The number of payments in the plan, and of those made; null without a plan. */
    payments: int4(),
    paid: int4(),
    /** The time of the first payment, from which the others are due by the calendar. */
    plan_start: column.instant(),
    next_due: column.instant(),
    /** The due date that was last announced as overdue. */
    announced_due: column.instant(),
    /** The start of the pause, and its automatic end. */
    paused_at: column.instant(),
    resumes_at: column.instant(),
    /** The time of the cancellation. The subscription still runs until its end. */
    cancelled_at: column.instant(),
    cancelled_by: column.choice(cancellers),
    cancel_reason: text(),
    /** The price of each further term; null = that of the product, or of the plan. */
    next_price: column.integer(),
    note: text(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('subscriptions_type', t.type, orderTypes),
    column.oneOf('subscriptions_status', t.status, subscriptionStatuses),
    column.oneOf('subscriptions_cancelled_by', t.cancelled_by, cancellers),
    uniqueIndex('subscriptions_first_order').on(t.first_order_id),
    index('subscriptions_user').on(t.user_id, t.id),
    index('subscriptions_updated_at').on(t.updated_at, t.id),
    index('subscriptions_due')
      .on(t.end_date)
      .where(sql`${t.status} = 'active'`),
    index('subscriptions_unannounced')
      .on(t.end_date)
      .where(sql`${t.status} = 'active' and ${t.announced_end} is distinct from ${t.end_date}`),
    index('subscriptions_product').on(t.product_id, t.id),
    index('subscriptions_end_date').on(t.end_date, t.id),
    index('subscriptions_resuming')
      .on(t.resumes_at)
      .where(sql`${t.status} = 'paused'`),
    index('subscriptions_overdue')
      .on(t.next_due)
      .where(sql`${t.status} = 'active' and ${t.announced_due} is distinct from ${t.next_due}`),
    index('subscriptions_cancelled')
      .on(t.cancelled_at)
      .where(sql`${t.cancelled_at} is not null`),
  ],
);

/**
 * The term that a subscription order pays for, as agreed when the order was placed. It counts from the completion of
 * the order until its refund.
 */
export const subscriptionTerms = pgTable(
  'subscription_terms',
  {
    order_id: column
      .integer()
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    first_order_id: column.reference(() => orders.id, { onDelete: 'cascade' }),
    type: column.choice(orderTypes).notNull(),
    duration: int4().notNull(),
    period: column.choice(periods).notNull(),
    /** Null while the order isn't completed, or after its refund. */
    activated_at: column.instant(),
    /** The end at another shop, if the term was sold there; null = the duration decides. */
    until: column.instant(),
  },
  (t) => [
    column.oneOf('subscription_terms_type', t.type, orderTypes),
    column.oneOf('subscription_terms_period', t.period, periods),
    check('subscription_terms_until', sql`${t.until} is null or ${t.activated_at} is not null`),
    index('subscription_terms_first_order').on(t.first_order_id),
  ],
);

/** Changes of a chain's time besides orders: pauses, and manual ends. */
export const subscriptionChanges = pgTable(
  'subscription_changes',
  {
    id: column.id(),
    first_order_id: column.reference(() => orders.id, { onDelete: 'cascade' }),
    kind: column.choice(subscriptionChangeKinds).notNull(),
    at: column.instant().notNull(),
    /** The manual end, or the planned end of the pause; null = until somebody resumes it. */
    until: column.instant(),
    /** The actual end of the pause. */
    resumed_at: column.instant(),
  },
  (t) => [
    column.oneOf('subscription_changes_kind', t.kind, subscriptionChangeKinds),
    check('subscription_changes_end', sql`${t.kind} <> 'end' or ${t.until} is not null`),
    check(
      'subscription_changes_resumed',
      sql`${t.resumed_at} is null or ${t.resumed_at} >= ${t.at}`,
    ),
    index('subscription_changes_first_order').on(t.first_order_id),
  ],
);

export type SubscriptionColumns = typeof subscriptions.$inferSelect;

export type SubscriptionTerm = typeof subscriptionTerms.$inferSelect;

export type SubscriptionChange = typeof subscriptionChanges.$inferSelect;
