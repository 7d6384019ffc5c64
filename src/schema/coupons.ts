import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { couponStatuses } from './lists.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
} from '../kernel/database/columns.ts';
import { type CouponDiscount, type CouponRule, noDiscount, noRule } from './coupon-parts.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/**
 * Coupons. One with a parent is a copy of a template: it takes rule, discount, dates and limits live
 * from the parent, and its own columns of these are not used.
 */
export const coupons = pgTable(
  'coupons',
  {
    id: id(),
    /** Upper case, with a letter at least: it can't be taken for an id. */
    code: text().notNull(),
    /** The affiliate it belongs to; null for the store's own. */
    user_id: integer().references(() => users.id),
    coupon_parent_id: integer().references((): AnyPgColumn => coupons.id),
    discount: document<CouponDiscount>(noDiscount).notNull(),
    rule: document<CouponRule>(noRule).notNull(),
    limit_use: integer().notNull().default(0),
    limit_use_per_user: integer().notNull().default(0),
    start_date: instant(),
    limit_date: instant(),
    status: choice(couponStatuses).notNull(),
    deleted_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('coupons_status', t.status, couponStatuses),
    check('coupons_code', sql`${t.code} ~ '^[A-Z0-9_-]+$' and ${t.code} ~ '[A-Z]'`),
    uniqueIndex('coupons_code_live')
      .on(t.code)
      .where(sql`${t.deleted_at} is null`),
    index('coupons_user')
      .on(t.user_id, t.id)
      .where(sql`${t.deleted_at} is null`),
    index('coupons_parent')
      .on(t.coupon_parent_id, t.id)
      .where(sql`${t.deleted_at} is null`),
    index('coupons_status_id')
      .on(t.status, t.id)
      .where(sql`${t.deleted_at} is null`),
    index('coupons_templates')
      .on(t.id)
      .where(sql`${t.deleted_at} is null and (${t.rule} ->> 'use_by_affiliate')::boolean`),
    index('coupons_search')
      .using('gin', sql`lower(${t.code}) gin_trgm_ops`)
      .where(sql`${t.deleted_at} is null`),
  ],
);

/** The number of uses of a coupon: a row of its own, so that orders don't touch the coupon. */
export const couponUsage = pgTable('coupon_usage', {
  coupon_id: integer()
    .primaryKey()
    .references(() => coupons.id, { onDelete: 'cascade' }),
  used: integer().notNull().default(0),
});

/** The number of one user's uses of a coupon. */
export const couponUserUsage = pgTable(
  'coupon_user_usage',
  {
    coupon_id: integer()
      .notNull()
      .references(() => coupons.id, { onDelete: 'cascade' }),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.coupon_id, t.user_id] })],
);

/** The number of copies that an affiliate has of a template. */
export const couponCopies = pgTable(
  'coupon_copies',
  {
    template_id: integer()
      .notNull()
      .references(() => coupons.id, { onDelete: 'cascade' }),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    copies: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.template_id, t.user_id] })],
);

/** The use of a coupon by an order; released when the order is cancelled or refunded in full. */
export const couponRedemptions = pgTable(
  'coupon_redemptions',
  {
    order_id: integer()
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    coupon_id: integer()
      .notNull()
      .references(() => coupons.id),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    redeemed_at: instant().notNull(),
    released_at: instant(),
  },
  (t) => [
    index('coupon_redemptions_live')
      .on(t.coupon_id, t.user_id)
      .where(sql`${t.released_at} is null`),
  ],
);

export type CouponColumns = typeof coupons.$inferSelect;
