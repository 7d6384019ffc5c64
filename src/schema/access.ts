import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer as int4,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
} from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';
import { subscriptions } from './subscriptions.ts';
import { users } from './users.ts';

export const accessSources = ['order', 'subscription', 'manual', 'import'] as const;

/** As stored; an active one whose end has passed counts as expired from that moment on. */
export const grantStates = ['pending', 'active', 'revoked'] as const;

/** Grants: the right of a user to use a product, from an order, a subscription or by hand. */
export const accessGrants = pgTable(
  'access_grants',
  {
    id: id(),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    product_id: integer()
      .notNull()
      .references(() => products.id),
    /** The order it comes from; of a chain of subscription orders the first. */
    order_id: integer().references(() => orders.id, { onDelete: 'cascade' }),
    subscription_id: integer().references(() => subscriptions.id, { onDelete: 'cascade' }),
    source: choice(accessSources).notNull(),
    status: choice(grantStates).notNull(),
    /** Null until it becomes active for the first time. */
    start: instant(),
    end_active: instant(),
    revoked_at: instant(),
    revoke_reason: text(),
    note: text(),
    /** Taken away by hand: out of every list, but a check still says that it was revoked. */
    deleted_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('access_grants_source', t.source, accessSources),
    oneOf('access_grants_status', t.status, grantStates),
    check('access_grants_start', sql`${t.status} <> 'active' or ${t.start} is not null`),
    uniqueIndex('access_grants_order').on(t.order_id),
    index('access_grants_user_product').on(t.user_id, t.product_id),
    index('access_grants_product').on(t.product_id, t.id),
    index('access_grants_status_id')
      .on(t.status, t.id)
      .where(sql`${t.deleted_at} is null`),
    index('access_grants_end_active')
      .on(t.end_active)
      .where(sql`${t.status} = 'active'`),
    index('access_grants_start').on(t.start),
    index('access_grants_subscription').on(t.subscription_id),
  ],
);

/**
 * The number of grants, stored as active, that end on a day in UTC (counted from 2000-01-01), kept by a trigger; the
 * sum over its slots. Grants without an end stand on the day 2147483647, after all others.
 */
export const accessEnds = pgTable(
  'access_ends',
  { day: int4().notNull(), slot: smallint().notNull(), grants: int4().notNull() },
  (t) => [primaryKey({ columns: [t.day, t.slot] })],
);

export const contentMatches = ['any', 'all'] as const;

export const contentStatuses = ['publish', 'draft'] as const;

/** Why someone doesn't get to see content, as far as there is something to say to them. */
export const blockReasons = ['not-bought', 'expired', 'drip-content'] as const;

export type BlockReason = (typeof blockReasons)[number];

/** HTML in place of content; the service's own texts fill the gaps. */
export type BlockMessages = Partial<Record<BlockReason, { title?: string; message?: string }>>;

/** Content that only buyers of certain products get to see. */
export const accessContent = pgTable(
  'access_content',
  {
    id: id(),
    title: text().notNull(),
    url: text().notNull(),
    product_ids: integer().array().notNull(),
    match: choice(contentMatches).notNull(),
    /** Days after the access starts. */
    drip_day: int4().notNull(),
    release_at: instant(),
    status: choice(contentStatuses).notNull(),
    redirect_active: boolean().notNull(),
    redirect_link: text().notNull(),
    messages: document<BlockMessages>().notNull(),
    ...changes,
  },
  (t) => [
    oneOf('access_content_match', t.match, contentMatches),
    oneOf('access_content_status', t.status, contentStatuses),
    check('access_content_product_ids', sql`cardinality(${t.product_ids}) > 0`),
    index('access_content_product_ids').using('gin', t.product_ids),
    index('access_content_status_id').on(t.status, t.id),
  ],
);

export type Grant = typeof accessGrants.$inferSelect;

/** A grant as stored, with the product it is for and the store's time zone. */
export interface GrantRow {
  readonly grant: Grant;
  readonly product: { readonly title: string };
  readonly timezone: string;
}

export type ContentRow = typeof accessContent.$inferSelect;
