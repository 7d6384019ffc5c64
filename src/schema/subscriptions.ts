import { sql } from 'drizzle-orm';
import { check, index, integer as int4, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { orderTypes } from './lists.ts';
import * as column from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { periods } from './product-parts.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** `pending`: its money is outstanding again; `inactive`: nothing that was paid is left of it. */
export const subscriptionStatuses = ['pending', 'active', 'inactive', 'expired'] as const;

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
    /** The first order of the chain, which the others name as their parent. */
    first_order_id: column.reference(() => orders.id, { onDelete: 'cascade' }),
    /** The order whose term runs last, and its type. */
    order_id: column.integer().notNull(),
    type: column.choice(orderTypes).notNull(),
    /** As stored; one whose end has passed counts as expired from that moment on. */
    status: column.choice(subscriptionStatuses).notNull(),
    start: column.instant(),
    end_date: column.instant(),
    /** The end that its subscriber was told of as coming soon. */
    announced_end: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('subscriptions_type', t.type, orderTypes),
    column.oneOf('subscriptions_status', t.status, subscriptionStatuses),
    uniqueIndex('subscriptions_first_order').on(t.first_order_id),
    index('subscriptions_user').on(t.user_id, t.id),
    index('subscriptions_due')
      .on(t.end_date)
      .where(sql`${t.status} = 'active'`),
    index('subscriptions_unannounced')
      .on(t.end_date)
      .where(sql`${t.status} = 'active' and ${t.announced_end} is distinct from ${t.end_date}`),
  ],
);

/**
 * The term that a subscription order pays for, as agreed when it was placed: one row an order. It counts from the
 * moment the order completes until it is given back.
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
    /** Null while the order isn't completed, or was given back. */
    activated_at: column.instant(),
    /** The end it had where it was sold, if that was elsewhere; null = what its duration comes to. */
    until: column.instant(),
  },
  (t) => [
    column.oneOf('subscription_terms_type', t.type, orderTypes),
    column.oneOf('subscription_terms_period', t.period, periods),
    check('subscription_terms_until', sql`${t.until} is null or ${t.activated_at} is not null`),
    index('subscription_terms_first_order').on(t.first_order_id),
  ],
);

export type SubscriptionColumns = typeof subscriptions.$inferSelect;
