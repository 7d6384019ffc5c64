import { integer as int4, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { orderStatuses } from './lists.ts';
import { choice, integer, oneOf } from '../kernel/database/columns.ts';

/** The keys of the rollup of orders; `day` is a date in the store's time zone. */
export const orderDimensions = ['store', 'day', 'product', 'affiliate'] as const;

/**
 * Counts and sums of the orders that aren't deleted, kept by a trigger on `orders`. Each figure is the sum over its
 * slots: an order's id selects the slot, so that parallel orders of one product don't wait for one row.
 */
export const orderRollups = pgTable(
  'order_rollups',
  {
    dimension: choice(orderDimensions).notNull(),
    /** 0, days since 2000-01-01, a product's id, an affiliate's id. */
    key: integer().notNull(),
    status: choice(orderStatuses).notNull(),
    slot: smallint().notNull(),
    orders: integer().notNull(),
    quantity: integer().notNull(),
    grand_total: integer().notNull(),
    refunded_total: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.dimension, t.key, t.status, t.slot] }),
    oneOf('order_rollups_dimension', t.dimension, orderDimensions),
    oneOf('order_rollups_status', t.status, orderStatuses),
  ],
);

/** The sums of a product's orders in a paid status, by the day they were placed; kept by the same trigger. */
export const productDays = pgTable(
  'product_days',
  {
    /** Days since 2000-01-01, in the store's time zone. */
    day: int4().notNull(),
    product_id: integer().notNull(),
    slot: smallint().notNull(),
    orders: integer().notNull(),
    quantity: integer().notNull(),
    /** Totals less refunds. */
    revenue: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.product_id, t.slot] })],
);

/** The length of each list without any filter, kept by triggers; the sum over its slots. */
export const listTotals = pgTable(
  'list_totals',
  { list: text().notNull(), slot: smallint().notNull(), total: int4().notNull() },
  (t) => [primaryKey({ columns: [t.list, t.slot] })],
);
