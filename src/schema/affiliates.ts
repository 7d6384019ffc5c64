import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { choice, id, instant, integer, oneOf, reference } from '../kernel/database/columns.ts';
import { products } from './products.ts';
import { users } from './users.ts';

/**
 * Visits through affiliate links. An order with the `ref` of a visit counts for its affiliate. A visitor is identified
 * by the `ref` of an earlier visit, otherwise by an HMAC that changes every day.
 */
export const affiliateClicks = pg.pgTable(
  'affiliate_clicks',
  {
    id: id(),
    ref: pg.text().notNull(),
    affiliate_id: reference(() => users.id),
    product_id: reference(() => products.id, { onDelete: 'cascade' }),
    target: pg.text().notNull(),
    at: instant().notNull(),
    /** The campaign that the link names, or empty. */
    sub: pg.text().notNull().default(''),
    visitor: pg.text(),
    /**
     * The day of a counted visit. A visitor counts once a day for a link; later visits have null. Visits without a
     * visitor are counted by `src/cli/migrations/backfills.ts`.
     */
    counted_on: pg.integer(),
  },
  (t) => [
    pg.uniqueIndex('affiliate_clicks_ref').on(t.ref),
    pg
      .uniqueIndex('affiliate_clicks_visitor')
      .on(t.visitor, t.counted_on, t.affiliate_id, t.product_id, t.target, t.sub)
      .where(sql`${t.counted_on} is not null`),
    pg.index('affiliate_clicks_at').on(t.at),
    pg.index('affiliate_clicks_affiliate').on(t.affiliate_id, t.id),
  ],
);

/**
 * Visits and orders of affiliates by day, product, link and campaign. An order counts on the day on which it was
 * placed; an order without a link has neither target nor sub. Triggers on visits, orders and commissions keep the rows.
 * Slots work as in `order_rollups`.
 */
export const affiliateFigures = pg.pgTable(
  'affiliate_figures',
  {
    affiliate_id: integer().notNull(),
    /** Days since 2000-01-01, in the store's time zone. */
    day: pg.integer().notNull(),
    sub: pg.text().notNull(),
    product_id: integer().notNull(),
    target: pg.text().notNull(),
    slot: pg.smallint().notNull(),
    clicks: integer().notNull().default(0),
    orders: integer().notNull().default(0),
    /** Orders in a paid status. Revenue and commission cover only these. */
    paid: integer().notNull().default(0),
    revenue: integer().notNull().default(0),
    commission: integer().notNull().default(0),
  },
  (t) => [
    pg.primaryKey({
      name: 'affiliate_figures_pk',
      columns: [t.affiliate_id, t.day, t.sub, t.product_id, t.target, t.slot],
    }),
  ],
);

/** The spans of time that sales are rolled up by, in the store's time zone. */
export const salePeriods = ['all', 'month', 'day'] as const;

/**
 * Orders of affiliates in a paid status, and visits through their links, kept by triggers. Product 0 stands for all
 * products. Slots work as in `order_rollups`.
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
    /** Orders that came by a link, also counted in `orders`. */
    link_orders: integer().notNull().default(0),
    clicks: integer().notNull().default(0),
  },
  (t) => [
    // The months or days of a product are adjacent in this order: only PostgreSQL 18 could skip other products.
    pg.primaryKey({ columns: [t.period, t.product_id, t.key, t.affiliate_id, t.slot] }),
    oneOf('affiliate_sales_period', t.period, salePeriods),
  ],
);

/**
 * Orders of affiliates by the day in the store's time zone on which they were placed: all orders, and orders in a paid
 * status. A trigger on `orders` keeps the rows. Slots work as in `order_rollups`.
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
    /** The totals of the paid orders, less refunds. */
    revenue: integer().notNull(),
  },
  (t) => [pg.primaryKey({ columns: [t.affiliate_id, t.day, t.slot] })],
);
