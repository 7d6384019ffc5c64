import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import {
  commissionKinds,
  commissionStatuses,
  payoutStatuses,
  rateSources,
  riskKinds,
} from './lists.ts';
import {
  changes,
  choice,
  id,
  instant,
  integer,
  live,
  money,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { rateTypes } from './product-parts.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** Money paid to an affiliate for the commissions that name the payout. */
export const payouts = pg.pgTable(
  'payouts',
  {
    id: id(),
    affiliate_id: reference(() => users.id),
    amount: money(),
    currency: pg.text().notNull(),
    /** The number of commissions it paid, including those of a cancelled payout. */
    commissions: pg.integer().notNull(),
    method: pg.text().notNull(),
    reference: pg.text().notNull(),
    /** The end of the range, a day or an instant; null without one. */
    date_end: pg.text(),
    status: choice(payoutStatuses).notNull(),
    cancelled_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('payouts_status', t.status, payoutStatuses),
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
 * Reasons of a cancelled commission: its order was cancelled, a person cancelled it, the order counts for another
 * affiliate, or a risk was confirmed. Only the first returns with its order.
 */
export const cancellations = ['order', 'hand', 'reassigned', 'risk'] as const;

/**
 * The commission ledger. An order has one row of kind `sale` for each tier. Every later change of the amount is another
 * row, so the rows of a tier that aren't cancelled always sum to its earnings.
 */
export const commissions = pg.pgTable(
  'commissions',
  {
    id: id(),
    order_id: reference(() => orders.id, { onDelete: 'cascade' }),
    product_id: reference(() => products.id),
    affiliate_id: reference(() => users.id),
    buyer_id: reference(() => users.id),
    /** 1 = the seller, n + 1 = the n-th upline. */
    tier: pg.smallint().notNull(),
    kind: choice(commissionKinds).notNull(),
    commission: money(),
    currency: pg.text().notNull(),
    base_amount: money(),
    rate_type: choice(rateTypes).notNull(),
    rate: pg.numeric({ precision: 20, scale: 4, mode: 'number' }).notNull(),
    rate_source: choice(rateSources).notNull(),
    status: choice(commissionStatuses).notNull(),
    cancellation: choice(cancellations),
    hold_until: instant(),
    paid_at: instant(),
    /** Like the draft line without a foreign key, which would cost a lookup per row: `npm run integrity` checks both. */
    payout_id: integer(),
    /** The draft line; null after the confirmation. */
    payout_line_id: integer(),
    flags: pg.text({ enum: riskKinds }).array().notNull(),
    /** True while an open risk holds the commission. */
    held: pg.boolean().notNull().default(false),
    /** The row of kind `sale` that this row corrects. */
    parent_id: integer().references((): pg.AnyPgColumn => commissions.id, { onDelete: 'cascade' }),
    note: pg.text(),
    deleted_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('commissions_kind', t.kind, commissionKinds),
    oneOf('commissions_rate_type', t.rate_type, rateTypes),
    oneOf('commissions_rate_source', t.rate_source, rateSources),
    oneOf('commissions_status', t.status, commissionStatuses),
    oneOf('commissions_cancellation', t.cancellation, cancellations),
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
    pg.check(
      'commissions_payout_line',
      sql`${t.payout_line_id} is null or (${t.status} = 'added' and ${t.paid_at} is null)`,
    ),
    pg.check('commissions_deleted', sql`${t.deleted_at} is null or ${t.status} = 'cancelled'`),
    pg
      .uniqueIndex('commissions_sale_of_tier')
      .on(t.order_id, t.tier)
      .where(sql`${t.kind} = 'sale' and ${t.cancellation} is distinct from 'reassigned'`),
    pg.index('commissions_order').on(t.order_id, t.id),
    pg.index('commissions_updated_at').on(t.updated_at, t.id),
    pg
      .index('commissions_corrections')
      .on(t.parent_id)
      .where(sql`${t.parent_id} is not null`),
    pg
      .index('commissions_of_payout')
      .on(t.payout_id)
      .where(sql`${t.payout_id} is not null`),
    pg
      .index('commissions_payout_line')
      .on(t.payout_line_id)
      .where(sql`${t.payout_line_id} is not null`),
    pg.index('commissions_affiliate').on(t.affiliate_id, t.id).where(live(t)),
    pg.index('commissions_product').on(t.product_id, t.id).where(live(t)),
    // Two indexes without paid commissions: paying 100,000 at once writes their entries in every other index anew.
    pg
      .index('commissions_pending')
      .on(t.id)
      .where(sql`${t.status} = 'pending' and ${live(t)}`),
    pg
      .index('commissions_cancelled')
      .on(t.id)
      .where(sql`${t.status} = 'cancelled' and ${live(t)}`),
    pg.index('commissions_created_at').on(t.created_at, t.id).where(live(t)),
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
      .index('commissions_flagged')
      .on(t.id)
      .where(sql`${t.flags} <> '{}' and ${live(t)}`),
    pg
      .index('commissions_paid_id')
      .on(t.id)
      .where(sql`${t.paid_at} is not null`),
    pg
      .index('commissions_paid_by_hand')
      .on(t.affiliate_id, t.paid_at)
      .where(sql`${t.paid_at} is not null and ${t.payout_id} is null`),
  ],
);

/**
 * The keys of the rollup of commissions. `day` is a date in the store's time zone; `hold`, for unpaid ones only, is
 * the date in UTC on which their hold ends.
 */
export const commissionDimensions = ['store', 'day', 'product', 'affiliate', 'hold'] as const;

/** The statuses of the rollup: `added` counts as paid or unpaid. */
export const rolledStatuses = ['pending', 'unpaid', 'paid', 'cancelled'] as const;

/**
 * Counts and sums of the commissions that aren't deleted, kept by triggers. Each figure is the sum over its slots; an
 * order's id selects the slot, so that parallel orders seldom collide.
 */
export const commissionRollups = pg.pgTable(
  'commission_rollups',
  {
    dimension: choice(commissionDimensions).notNull(),
    /** 0, days since 2000-01-01, a product's id, an affiliate's id. */
    key: integer().notNull(),
    status: choice(rolledStatuses).notNull(),
    slot: pg.smallint().notNull(),
    commissions: integer().notNull(),
    /** Commissions of kind `sale`: one for each order and affiliate. */
    sales: integer().notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.dimension, t.key, t.status, t.slot] }),
    oneOf('commission_rollups_dimension', t.dimension, commissionDimensions),
    oneOf('commission_rollups_status', t.status, rolledStatuses),
  ],
);

/**
 * The earnings of affiliates, by the day in the store's time zone on which the commission was made, by product and by
 * tier; kept with `commission_rollups`.
 */
export const commissionDays = pg.pgTable(
  'commission_days',
  {
    affiliate_id: integer().notNull(),
    /** Days since 2000-01-01. */
    day: pg.integer().notNull(),
    product_id: integer().notNull(),
    tier: pg.smallint().notNull(),
    status: choice(rolledStatuses).notNull(),
    slot: pg.smallint().notNull(),
    sales: integer().notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.affiliate_id, t.day, t.product_id, t.tier, t.status, t.slot] }),
    oneOf('commission_days_status', t.status, rolledStatuses),
  ],
);

const commissionPeriods = ['all', 'day'] as const;

/**
 * The commissions of orders in a paid status: for each affiliate, and for all together as affiliate 0; of all time,
 * and by the day in the store's time zone on which the order was placed. Triggers on `commissions` and
 * `orders` keep it up to date. Slots work as in `order_rollups`.
 */
export const saleCommissions = pg.pgTable(
  'sale_commissions',
  {
    affiliate_id: integer().notNull(),
    period: choice(commissionPeriods).notNull(),
    /** 0, or days since 2000-01-01. */
    key: integer().notNull(),
    slot: pg.smallint().notNull(),
    amount: integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.affiliate_id, t.period, t.key, t.slot] }),
    oneOf('sale_commissions_period', t.period, commissionPeriods),
  ],
);

export type CommissionColumns = typeof commissions.$inferSelect;

export type PayoutColumns = typeof payouts.$inferSelect;
