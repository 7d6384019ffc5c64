import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { couponStatuses } from './lists.ts';
import * as column from '../kernel/database/columns.ts';
import { type CouponDiscount, type CouponRule, noDiscount, noRule } from './coupon-parts.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/**
 * Coupons. A coupon with a parent is a copy of a template: the parent's current rule, discount, dates and limits apply,
 * and its own are unused.
 */
export const coupons = pg.pgTable(
  'coupons',
  {
    id: column.id(),
    /** Upper case with at least one letter, so it can't be taken for an id. */
    code: pg.text().notNull(),
    /** The affiliate who owns the coupon; null for the store's own. */
    user_id: column.integer().references(() => users.id),
    coupon_parent_id: column.integer().references((): pg.AnyPgColumn => coupons.id),
    discount: column.document<CouponDiscount>(noDiscount).notNull(),
    rule: column.document<CouponRule>(noRule).notNull(),
    limit_use: column.integer().notNull().default(0),
    limit_use_per_user: column.integer().notNull().default(0),
    start_date: column.instant(),
    limit_date: column.instant(),
    status: column.choice(couponStatuses).notNull(),
    deleted_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('coupons_status', t.status, couponStatuses),
    pg.check('coupons_code', sql`${t.code} ~ '^[A-Z0-9_-]+$' and ${t.code} ~ '[A-Z]'`),
    pg.uniqueIndex('coupons_code_live').on(t.code).where(column.live(t)),
    pg.index('coupons_user').on(t.user_id, t.id).where(column.live(t)),
    pg.index('coupons_parent').on(t.coupon_parent_id, t.id).where(column.live(t)),
    pg.index('coupons_status_id').on(t.status, t.id).where(column.live(t)),
    pg
      .index('coupons_templates')
      .on(t.id)
      .where(sql`${t.deleted_at} is null and (${t.rule} ->> 'use_by_affiliate')::boolean`),
    pg
      .index('coupons_search')
      .using('gin', sql`lower(${t.code}) gin_trgm_ops`)
      .where(column.live(t)),
  ],
);

/** The number of uses of a coupon, in a separate row so that orders don't change the coupon. */
export const couponUsage = pg.pgTable('coupon_usage', {
  coupon_id: column
    .integer()
    .primaryKey()
    .references(() => coupons.id, { onDelete: 'cascade' }),
  used: column.integer().notNull().default(0),
});

export const couponUserUsage = pg.pgTable(
  'coupon_user_usage',
  {
    coupon_id: column.reference(() => coupons.id, { onDelete: 'cascade' }),
    user_id: column.reference(() => users.id),
    used: column.integer().notNull(),
  },
  (t) => [pg.primaryKey({ columns: [t.coupon_id, t.user_id] })],
);

export const couponCopies = pg.pgTable(
  'coupon_copies',
  {
    template_id: column.reference(() => coupons.id, { onDelete: 'cascade' }),
    user_id: column.reference(() => users.id),
    copies: column.integer().notNull(),
  },
  (t) => [pg.primaryKey({ columns: [t.template_id, t.user_id] })],
);

/** The use of a coupon by an order; released when the order is cancelled or refunded in full. */
export const couponRedemptions = pg.pgTable(
  'coupon_redemptions',
  {
    order_id: column
      .integer()
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    coupon_id: column.reference(() => coupons.id),
    user_id: column.reference(() => users.id),
    redeemed_at: column.instant().notNull(),
    released_at: column.instant(),
  },
  (t) => [
    pg
      .index('coupon_redemptions_live')
      .on(t.coupon_id, t.user_id)
      .where(sql`${t.released_at} is null`),
  ],
);

export type CouponColumns = typeof coupons.$inferSelect;
