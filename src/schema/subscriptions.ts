import { sql } from 'drizzle-orm';
import { check, index, integer as int4, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { orderTypes } from './lists.ts';
import { changes, choice, id, instant, integer, oneOf } from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { periods } from './product-parts.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** `pending`: its money is outstanding again; `inactive`: nothing that was paid is left of it. */
export const subscriptionStatuses = [
  'pending',
  'active',
  'paused',
  'inactive',
  'expired',
  'cancelled',
] as const;

/** Who cancelled a subscription: members undo only what they did. */
export const cancellers = ['store', 'member'] as const;

export const subscriptionChangeKinds = ['pause', 'end'] as const;

/**
 * What a chain of subscription orders comes to: one row from its first completed order on. When it
 * starts and ends follows from the terms of its orders.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: id(),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    product_id: integer()
      .notNull()
      .references(() => products.id),
    /** The first order of the chain, which the others name as their parent. */
    first_order_id: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** The order whose term runs last, and its type. */
    order_id: integer().notNull(),
    type: choice(orderTypes).notNull(),
    /** As stored; one whose end has passed counts as expired from that moment on. */
    status: choice(subscriptionStatuses).notNull(),
    start: instant(),
    end_date: instant(),
    /** The end that its subscriber was told of as coming soon. */
    announced_end: instant(),
    /** Payments of its plan, and how many of them were made; null = it has no plan. */
    payments: int4(),
    paid: int4(),
    /** When the first of them came: from then on the others are due. */
    plan_start: instant(),
    /** When the next one is due. */
    next_due: instant(),
    /** The due date that its subscriber was told of as past. */
    announced_due: instant(),
    /** Since when it is paused, and when it goes on by itself. */
    paused_at: instant(),
    resumes_at: instant(),
    /** When somebody cancelled it; it goes on to its end. */
    cancelled_at: instant(),
    cancelled_by: choice(cancellers),
    cancel_reason: text(),
    /** The price of each further term; null = that of the product, or of the plan. */
    next_price: integer(),
    note: text(),
    ...changes,
  },
  (t) => [
    oneOf('subscriptions_type', t.type, orderTypes),
    oneOf('subscriptions_status', t.status, subscriptionStatuses),
    oneOf('subscriptions_cancelled_by', t.cancelled_by, cancellers),
    uniqueIndex('subscriptions_first_order').on(t.first_order_id),
    index('subscriptions_user').on(t.user_id, t.id),
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
 * What one subscription order buys, as agreed when it was placed: one row an order. It counts from
 * the moment the order completes until it is given back.
 */
export const subscriptionTerms = pgTable(
  'subscription_terms',
  {
    order_id: integer()
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    first_order_id: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    type: choice(orderTypes).notNull(),
    duration: int4().notNull(),
    period: choice(periods).notNull(),
    /** Null while the order isn't completed, or was given back. */
    activated_at: instant(),
    /** The end it had where it was sold, if that was elsewhere; null = what its duration comes to. */
    until: instant(),
  },
  (t) => [
    oneOf('subscription_terms_type', t.type, orderTypes),
    oneOf('subscription_terms_period', t.period, periods),
    check('subscription_terms_until', sql`${t.until} is null or ${t.activated_at} is not null`),
    index('subscription_terms_first_order').on(t.first_order_id),
  ],
);

/** What changed the time of a chain beside its orders: pauses, and ends set by hand. */
export const subscriptionChanges = pgTable(
  'subscription_changes',
  {
    id: id(),
    first_order_id: integer()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    kind: choice(subscriptionChangeKinds).notNull(),
    at: instant().notNull(),
    /** The end that was set, or when the pause is to be over; null = until somebody resumes it. */
    until: instant(),
    /** When the pause was over. */
    resumed_at: instant(),
  },
  (t) => [
    oneOf('subscription_changes_kind', t.kind, subscriptionChangeKinds),
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
