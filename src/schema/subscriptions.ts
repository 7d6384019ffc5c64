import { sql } from 'drizzle-orm';
import { check, index, integer as int4, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import { orderTypes } from './lists.ts';
import { changes, choice, id, instant, integer, oneOf } from '../kernel/database/columns.ts';
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
    ...changes,
  },
  (t) => [
    oneOf('subscriptions_type', t.type, orderTypes),
    oneOf('subscriptions_status', t.status, subscriptionStatuses),
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

export type SubscriptionColumns = typeof subscriptions.$inferSelect;
