import { and, eq, type SQL, sql } from 'drizzle-orm';
import { withinDays } from '../../db/filters.ts';
import { orders } from '../../db/schema/orders.ts';
import { orderRollups } from '../../db/schema/rollups.ts';
import { build } from '../../db/statements.ts';
import { orderFilters } from './queries.ts';
import type { OrderFilters } from './schemas.ts';

/** How many orders match, and their amounts. */
export interface Totals {
  total: number;
  quantity: number;
  grand_total: number;
  refunded_total: number;
}

const sum = (column: SQL) => sql<string>`coalesce(sum(${column}), 0)`.mapWith(Number);

/**
 * Counts and sums the orders that match. From the rollups where they have the figures (status alone
 * or with one of product, affiliate and whole days), else from the orders that match.
 */
export function totalOrders(filters: OrderFilters, ...visible: (SQL | undefined)[]) {
  const rollup = visible.some(Boolean) ? undefined : rollupOf(filters);
  if (rollup) {
    return build
      .select({
        total: sum(sql`${orderRollups.orders}`),
        quantity: sum(sql`${orderRollups.quantity}`),
        grand_total: sum(sql`${orderRollups.grand_total}`),
        refunded_total: sum(sql`${orderRollups.refunded_total}`),
      })
      .from(orderRollups)
      .where(and(rollup, filters.status && eq(orderRollups.status, filters.status)));
  }
  return build
    .select({
      total: sql<string>`count(*)`.mapWith(Number),
      quantity: sum(sql`${orders.quantity}`),
      grand_total: sum(sql`${orders.grand_total}`),
      refunded_total: sum(sql`${orders.refunded_total}`),
    })
    .from(orders)
    .where(and(...orderFilters(filters), ...visible));
}

/** The rows of the rollups that cover the filters, status aside; undefined where none do. */
function rollupOf({
  user_id,
  product_id,
  affiliate_id,
  search,
  date_start,
  date_end,
}: OrderFilters): SQL | undefined {
  const dated = date_start !== undefined || date_end !== undefined;
  const given = [product_id, affiliate_id].filter((id) => id !== undefined).length;
  if (user_id !== undefined || search !== undefined || given + Number(dated) > 1) return undefined;
  if (product_id !== undefined) return of('product', eq(orderRollups.key, product_id));
  if (affiliate_id !== undefined) return of('affiliate', eq(orderRollups.key, affiliate_id));
  if (!dated) return of('store', eq(orderRollups.key, 0));
  const wholeDays = [date_start, date_end].every(
    (date) => date === undefined || date.length === 10,
  );
  if (!wholeDays) return undefined;
  return of('day', withinDays(orderRollups.key, date_start, date_end));
}

const of = (dimension: (typeof orderRollups.dimension.enumValues)[number], key: SQL | undefined) =>
  and(eq(orderRollups.dimension, dimension), key);
