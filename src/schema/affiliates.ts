import * as pg from 'drizzle-orm/pg-core';
import { choice, id, instant, integer, oneOf, reference } from '../kernel/database/columns.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/** Visits through affiliate links. An order with the `ref` of a visit counts for its affiliate. */
export const affiliateClicks = pg.pgTable(
  'affiliate_clicks',
  {
    id: id(),
    ref: pg.text().notNull(),
    affiliate_id: reference(() => users.id),
    product_id: reference(() => products.id, { onDelete: 'cascade' }),
    target: pg.text().notNull(),
    at: instant().notNull(),
  },
  (t) => [
    pg.uniqueIndex('affiliate_clicks_ref').on(t.ref),
    pg.index('affiliate_clicks_at').on(t.at),
    pg.index('affiliate_clicks_affiliate').on(t.affiliate_id, t.id),
  ],
);

/** The spans of time that sales are rolled up by, in the store's time zone. */
export const salePeriods = ['all', 'month', 'day'] as const;

/**
 * The sales of affiliates: their orders in a paid status, kept by a trigger on `orders`. The rows of product 0 are
 * for all products. Slots as in `order_rollups`.
 */
export const affiliateSales = pg.pgTable(
  'affiliate_sales',
  {
    period: choice(salePeriods).notNull(),
    /** 0, months since 2000-01, days since 2000-01-01. */
    key: integer().notNull(),
    product_id: integer().notNull(),
    affiliate_id: integer().notNull(),
    slot: pg.smallint().notNull(),
    orders: integer().notNull(),
    quantity: integer().notNull(),
    grand_total: integer().notNull(),
    refunded_total: integer().notNull(),
  },
  (t) => [
    // The months or days of a product are adjacent in this order: only PostgreSQL 18 could skip other products.
    pg.primaryKey({ columns: [t.period, t.product_id, t.key, t.affiliate_id, t.slot] }),
    oneOf('affiliate_sales_period', t.period, salePeriods),
  ],
);

/**
 * The orders that count for affiliates, by the day in the store's time zone on which they were placed:
 * all of them, and those in a paid status. Kept by a trigger on `orders`; slots as in `order_rollups`.
 */
export const affiliateDays = pg.pgTable(
  'affiliate_days',
  {
    affiliate_id: integer().notNull(),
    /** Days since 2000-01-01. */
    day: pg.integer().notNull(),
    slot: pg.smallint().notNull(),
    orders: integer().notNull(),
    paid_orders: integer().notNull(),
    /** Of the paid ones: their totals less refunds. */
    revenue: integer().notNull(),
  },
  (t) => [pg.primaryKey({ columns: [t.affiliate_id, t.day, t.slot] })],
);
