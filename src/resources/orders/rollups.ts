import { type SQL, and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { withinDays } from '../../db/filters.ts';
import { orders } from '../../db/schema/orders.ts';
import { orderRollups } from '../../db/schema/rollups.ts';
import { products } from '../../db/schema/products.ts';
import { build, raw } from '../../db/statements.ts';
import { paidStatuses } from '../../lib/statuses.ts';
import { type ListedBy, inStatus, orderFilters } from './queries.ts';
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
export function totalOrders(filters: ListedBy, ...visible: (SQL | undefined)[]) {
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
      .where(and(rollup, inStatus(filters, orderRollups.status)));
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

/** How many orders the store has in each status that occurs. */
export const countByStatus = () =>
  build
    .select({ status: orderRollups.status, total: sum(sql`${orderRollups.orders}`) })
    .from(orderRollups)
    .where(of('store', eq(orderRollups.key, 0)))
    .groupBy(orderRollups.status);

/** How many orders a user placed in each status that occurs; they are counted. */
export const countOwnByStatus = (user_id: number) =>
  build
    .select({ status: orders.status, total: sql<string>`count(*)`.mapWith(Number) })
    .from(orders)
    .where(and(...orderFilters({ user_id })))
    .groupBy(orders.status);

const paid = inArray(orderRollups.status, [...paidStatuses]);
const revenue = sum(sql`${orderRollups.grand_total} - ${orderRollups.refunded_total}`);

/** The products whose orders in a paid status brought most. */
export const findTopProducts = (limit: number) =>
  build
    .select({
      product_id: products.id,
      title: products.title,
      orders: sum(sql`${orderRollups.orders}`),
      quantity: sum(sql`${orderRollups.quantity}`),
      revenue,
    })
    .from(orderRollups)
    .innerJoin(products, eq(products.id, orderRollups.key))
    .where(and(eq(orderRollups.dimension, 'product'), paid))
    .groupBy(products.id)
    .having(sql`sum(${orderRollups.orders}) > 0`)
    .orderBy(desc(revenue), asc(products.id))
    .limit(limit);

/** Items and revenue of the days that end with a moment's own, one row each, the oldest first. */
export const findDays = (days: number, now: Date) =>
  raw<{ date: string; quantity: string; revenue: string }>(sql`
    select d.date::date::text as date, r.quantity, r.revenue
      from (select (${now.toISOString()}::timestamptz at time zone s.timezone)::date as today
              from settings s) t
     cross join generate_series(t.today - ${days - 1}::int, t.today, interval '1 day') d (date)
     cross join lateral (
       select coalesce(sum(r.quantity), 0) as quantity,
              coalesce(sum(r.grand_total - r.refunded_total), 0) as revenue
         from order_rollups r
        where r.dimension = 'day' and r.key = d.date::date - date '2000-01-01'
          and r.status = any (${sql.param([...paidStatuses])}::text[])
     ) r
     order by d.date`);
