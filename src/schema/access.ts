import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import * as column from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { products } from './products.ts';
import { subscriptions } from './subscriptions.ts';
import { users } from './users.ts';

export const accessSources = ['order', 'subscription', 'manual', 'import'] as const;

/** The stored status; an active grant counts as expired from its end on. */
export const grantStates = ['pending', 'active', 'revoked'] as const;

/** A user's right to use a product, from an order, a subscription or by hand. */
export const accessGrants = pg.pgTable(
  'access_grants',
  {
    id: column.id(),
    user_id: column.reference(() => users.id),
    product_id: column.reference(() => products.id),
    /** The order, or the first order of a chain of subscription orders. */
    order_id: column.integer().references(() => orders.id, { onDelete: 'cascade' }),
    subscription_id: column.integer().references(() => subscriptions.id, { onDelete: 'cascade' }),
    source: column.choice(accessSources).notNull(),
    status: column.choice(grantStates).notNull(),
    /** Null until the grant becomes active for the first time. Moves on by the time without access when it resumes. */
    start: column.instant(),
    end_active: column.instant(),
    revoked_at: column.instant(),
    /** The service's own reason. `paused` marks access that returns after a pause. */
    revoke_reason: pg.text(),
    note: pg.text(),
    /** Set if the grant was revoked by hand: absent from every list, but checks still report that it was revoked. */
    deleted_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('access_grants_source', t.source, accessSources),
    column.oneOf('access_grants_status', t.status, grantStates),
    pg.check('access_grants_start', sql`${t.status} <> 'active' or ${t.start} is not null`),
    pg.uniqueIndex('access_grants_order').on(t.order_id),
    pg.index('access_grants_user_product').on(t.user_id, t.product_id),
    pg.index('access_grants_product').on(t.product_id, t.id),
    pg.index('access_grants_status_id').on(t.status, t.id).where(column.live(t)),
    pg
      .index('access_grants_end_active')
      .on(t.end_active)
      .where(sql`${t.status} = 'active'`),
    pg.index('access_grants_start').on(t.start),
    pg
      .index('access_grants_starting')
      .on(t.start)
      .where(sql`${t.status} = 'active' and ${t.start} > ${t.updated_at}`),
    pg.index('access_grants_subscription').on(t.subscription_id),
  ],
);

/**
 * The number of grants, stored as active, that end on a day in UTC (counted from 2000-01-01), kept by a trigger; the
 * sum over its slots. Grants without an end count on the day 2147483647.
 */
export const accessEnds = pg.pgTable(
  'access_ends',
  { day: pg.integer().notNull(), slot: pg.smallint().notNull(), grants: pg.integer().notNull() },
  (t) => [pg.primaryKey({ columns: [t.day, t.slot] })],
);

export const contentMatches = ['any', 'all'] as const;

export const contentStatuses = ['publish', 'draft'] as const;

export const blockReasons = ['not-bought', 'expired', 'drip-content'] as const;

export type BlockReason = (typeof blockReasons)[number];

/** HTML in place of content; missing texts are the service's own. */
export type BlockMessages = Partial<Record<BlockReason, { title?: string; message?: string }>>;

/** Content that only buyers of certain products see. */
export const accessContent = pg.pgTable(
  'access_content',
  {
    id: column.id(),
    title: pg.text().notNull(),
    url: pg.text().notNull(),
    product_ids: column.integer().array().notNull(),
    match: column.choice(contentMatches).notNull(),
    /** Days with access. */
    drip_day: pg.integer().notNull(),
    release_at: column.instant(),
    status: column.choice(contentStatuses).notNull(),
    redirect_active: pg.boolean().notNull(),
    redirect_link: pg.text().notNull(),
    messages: column.document<BlockMessages>().notNull(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('access_content_match', t.match, contentMatches),
    column.oneOf('access_content_status', t.status, contentStatuses),
    pg.check('access_content_product_ids', sql`cardinality(${t.product_ids}) > 0`),
    pg.index('access_content_product_ids').using('gin', t.product_ids),
    pg.index('access_content_status_id').on(t.status, t.id),
  ],
);

export type Grant = typeof accessGrants.$inferSelect;

export interface GrantRow {
  readonly grant: Grant;
  readonly product: { readonly title: string };
  readonly timezone: string;
}

export type ContentRow = typeof accessContent.$inferSelect;
