import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import * as lists from './lists.ts';
import * as column from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { rateTypes } from './product-parts.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** Money paid to an affiliate for the commissions that name the payout. */
export const payouts = pg.pgTable(
  'payouts',
  {
    id: column.id(),
    affiliate_id: column.reference(() => users.id),
    amount: column.money(),
    currency: pg.text().notNull(),
    /** How many commissions it paid, those of a cancelled payout included. */
    commissions: pg.integer().notNull(),
    method: pg.text().notNull(),
    reference: pg.text().notNull(),
    /** The end of what it took, where it didn't take everything payable: a day or an instant. */
    date_end: pg.text(),
    status: column.choice(lists.payoutStatuses).notNull(),
    cancelled_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('payouts_status', t.status, lists.payoutStatuses),
    pg.check(
      'payouts_cancelled_at',
      sql`(${t.status} = 'cancelled') = (${t.cancelled_at} is not null)`,
    ),
    pg.check('payouts_amount', sql`${t.amount} > 0`),
    pg.index('payouts_affiliate').on(t.affiliate_id, t.id),
    pg.index('payouts_status_id').on(t.status, t.id),
    pg.index('payouts_created_at').on(t.created_at, t.id),
  ],
);

/**
 * Why a commission is cancelled: with its order, by hand, or because the order counts for somebody
 * else now. Only the first comes back when the order does.
 */
export const cancellations = ['order', 'hand', 'reassigned'] as const;

/**
 * The commission ledger. What an order pays a tier is one row of kind `sale`; every later change of
 * the figure is a row of its own beside it, so that the rows of a tier that aren't cancelled always
 * sum to what it has earned.
 */
export const commissions = pg.pgTable(
  'commissions',
  {
    id: column.id(),
    order_id: column.reference(() => orders.id, { onDelete: 'cascade' }),
    product_id: column.reference(() => products.id),
    affiliate_id: column.reference(() => users.id),
    buyer_id: column.reference(() => users.id),
    /** 1 = who sold, n + 1 = the n-th upline. */
    tier: pg.smallint().notNull(),
    kind: column.choice(lists.commissionKinds).notNull(),
    commission: column.money(),
    currency: pg.text().notNull(),
    /** What the figure was worked out from. */
    base_amount: column.money(),
    rate_type: column.choice(rateTypes).notNull(),
    rate: pg.numeric({ precision: 20, scale: 4, mode: 'number' }).notNull(),
    rate_source: column.choice(lists.rateSources).notNull(),
    status: column.choice(lists.commissionStatuses).notNull(),
    cancellation: column.choice(cancellations),
    hold_until: column.instant(),
    paid_at: column.instant(),
    payout_id: column.integer().references(() => payouts.id),
    flags: pg.text({ enum: lists.commissionFlags }).array().notNull(),
    /** The row of kind `sale` that this one corrects. */
    parent_id: column
      .integer()
      .references((): pg.AnyPgColumn => commissions.id, { onDelete: 'cascade' }),
    note: pg.text(),
    deleted_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('commissions_kind', t.kind, lists.commissionKinds),
    column.oneOf('commissions_rate_type', t.rate_type, rateTypes),
    column.oneOf('commissions_rate_source', t.rate_source, lists.rateSources),
    column.oneOf('commissions_status', t.status, lists.commissionStatuses),
    column.oneOf('commissions_cancellation', t.cancellation, cancellations),
    pg.check('commissions_tier', sql`${t.tier} between 1 and 20`),
    pg.check('commissions_sale', sql`${t.kind} <> 'sale' or ${t.commission} >= 0`),
    pg.check(
      'commissions_parent',
      sql`(${t.kind} = 'refund-adjustment') = (${t.parent_id} is not null)`,
    ),
    pg.check(
      'commissions_cancelled',
      sql`(${t.status} = 'cancelled') = (${t.cancellation} is not null)`,
    ),
    pg.check('commissions_paid', sql`${t.paid_at} is null or ${t.status} = 'added'`),
    pg.check('commissions_payout', sql`${t.payout_id} is null or ${t.paid_at} is not null`),
    pg.check('commissions_deleted', sql`${t.deleted_at} is null or ${t.status} = 'cancelled'`),
    pg
      .uniqueIndex('commissions_sale_of_tier')
      .on(t.order_id, t.tier)
      .where(sql`${t.kind} = 'sale' and ${t.cancellation} is distinct from 'reassigned'`),
    pg.index('commissions_order').on(t.order_id, t.id),
    pg.index('commissions_parent').on(t.parent_id),
    pg.index('commissions_payout').on(t.payout_id),
    pg.index('commissions_live').on(t.id).where(column.live(t)),
    pg.index('commissions_affiliate').on(t.affiliate_id, t.id).where(column.live(t)),
    pg.index('commissions_product').on(t.product_id, t.id).where(column.live(t)),
    pg.index('commissions_status_id').on(t.status, t.id).where(column.live(t)),
    pg.index('commissions_created_at').on(t.created_at, t.id).where(column.live(t)),
    pg
      .index('commissions_unpaid')
      .on(t.id)
      .where(sql`${t.status} = 'added' and ${t.paid_at} is null`),
    pg
      .index('commissions_hold')
      .on(t.hold_until)
      .where(sql`${t.status} = 'added' and ${t.paid_at} is null`),
    pg
      .index('commissions_affiliate_unpaid')
      .on(t.affiliate_id, t.hold_until)
      .where(sql`${t.status} = 'added' and ${t.paid_at} is null`),
    pg
      .index('commissions_noted')
      .on(t.affiliate_id)
      .where(sql`${t.note} is not null`),
    pg
      .index('commissions_paid_id')
      .on(t.id)
      .where(sql`${t.paid_at} is not null`),
    pg
      .index('commissions_affiliate_paid')
      .on(t.affiliate_id, t.paid_at)
      .where(sql`${t.paid_at} is not null`),
  ],
);

/**
 * What commissions are rolled up by. `day` is a date in the store's time zone; `hold`, of unpaid ones
 * only, the date in UTC on which they are no longer held.
 */
export const commissionDimensions = ['store', 'day', 'product', 'affiliate', 'hold'] as const;

/** The statuses they are rolled up by: `added` comes as paid or not. */
export const rolledStatuses = ['pending', 'unpaid', 'paid', 'cancelled'] as const;

/**
 * Counts and sums of the commissions that aren't deleted, kept by triggers. Each figure is the sum
 * over its slots; an order's id picks the slot, so that parallel orders seldom meet.
 */
export const commissionRollups = pg.pgTable(
  'commission_rollups',
  {
    dimension: column.choice(commissionDimensions).notNull(),
    /** 0, days since 2000-01-01, a product's id, an affiliate's id. */
    key: column.integer().notNull(),
    status: column.choice(rolledStatuses).notNull(),
    slot: pg.smallint().notNull(),
    commissions: column.integer().notNull(),
    /** Those of kind `sale`: one for each order and affiliate. */
    sales: column.integer().notNull(),
    amount: column.integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.dimension, t.key, t.status, t.slot] }),
    column.oneOf('commission_rollups_dimension', t.dimension, commissionDimensions),
    column.oneOf('commission_rollups_status', t.status, rolledStatuses),
  ],
);

/**
 * What affiliates earned, by the day in the store's time zone on which the commission came, product
 * and tier; kept with `commission_rollups`.
 */
export const commissionDays = pg.pgTable(
  'commission_days',
  {
    affiliate_id: column.integer().notNull(),
    /** Days since 2000-01-01. */
    day: pg.integer().notNull(),
    product_id: column.integer().notNull(),
    tier: pg.smallint().notNull(),
    status: column.choice(rolledStatuses).notNull(),
    slot: pg.smallint().notNull(),
    sales: column.integer().notNull(),
    amount: column.integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.affiliate_id, t.day, t.product_id, t.tier, t.status, t.slot] }),
    column.oneOf('commission_days_status', t.status, rolledStatuses),
  ],
);

const commissionPeriods = ['all', 'day'] as const;

/**
 * What orders in a paid status pay in commission: to each who earns by them, and to all together as
 * affiliate 0; of all time, and by the day in the store's time zone on which the order was placed. Kept
 * by triggers on both; slots as in `order_rollups`.
 */
export const saleCommissions = pg.pgTable(
  'sale_commissions',
  {
    affiliate_id: column.integer().notNull(),
    period: column.choice(commissionPeriods).notNull(),
    /** 0, or days since 2000-01-01. */
    key: column.integer().notNull(),
    slot: pg.smallint().notNull(),
    amount: column.integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.affiliate_id, t.period, t.key, t.slot] }),
    column.oneOf('sale_commissions_period', t.period, commissionPeriods),
  ],
);

export type CommissionColumns = typeof commissions.$inferSelect;

export type PayoutColumns = typeof payouts.$inferSelect;
