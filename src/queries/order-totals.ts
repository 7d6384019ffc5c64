import { type SQL, and, asc, between, desc, eq, inArray, sql } from 'drizzle-orm';
import { allOf, withinDays } from '../kernel/database/filters.ts';
import { rolledUp } from './rollups.ts';
import { orders } from '../schema/orders.ts';
import { orderRollups, productDays } from '../schema/rollups.ts';
import { products } from '../schema/products.ts';
import { build, raw, type Argument } from '../kernel/database/statements.ts';
import type { ProductFiguresQuery } from '../domain/product/schemas.ts';
import { paidStatuses } from '../schema/lists.ts';
import { dayNumber } from './settings.ts';
import { type ListedBy, inStatus, orderFilters } from './orders.ts';

const sum = (column: SQL) => sql<string>`coalesce(sum(${column}), 0)`.mapWith(Number);

/** Counts and sums matching orders. Uses the rollups if they cover every condition, otherwise the orders. */
export function totalOrders(query: ListedBy) {
  const conditions = orderFilters(query);
  const rollup = rolledUp(orderRollups, conditions, query);
  if (rollup) {
    return build
      .select({
        total: sum(sql`${orderRollups.orders}`),
        quantity: sum(sql`${orderRollups.quantity}`),
        grand_total: sum(sql`${orderRollups.grand_total}`),
        refunded_total: sum(sql`${orderRollups.refunded_total}`),
      })
      .from(orderRollups)
      .where(and(rollup, inStatus(query, orderRollups.status)));
  }
  return build
    .select({
      total: sql<string>`count(*)`.mapWith(Number),
      quantity: sum(sql`${orders.quantity}`),
      grand_total: sum(sql`${orders.grand_total}`),
      refunded_total: sum(sql`${orders.refunded_total}`),
    })
    .from(orders)
    .where(allOf(conditions));
}

/** Counts matching orders by status. Uses the rollups if `totalOrders` can. */
export function countByStatus(query: ListedBy = {}) {
  const conditions = orderFilters(query);
  const rollup = rolledUp(orderRollups, conditions, query);
  return rollup
    ? build
        .select({ status: orderRollups.status, total: sum(sql`${orderRollups.orders}`) })
        .from(orderRollups)
        .where(and(rollup, inStatus(query, orderRollups.status)))
        .groupBy(orderRollups.status)
    : build
        .select({ status: orders.status, total: sql<string>`count(*)`.mapWith(Number) })
        .from(orders)
        .where(allOf(conditions))
        .groupBy(orders.status);
}

/** Counts a user's orders by status, from the rows. */
export const countOwnByStatus = (user_id: Argument<number>) =>
  build
    .select({ status: orders.status, total: sql<string>`count(*)`.mapWith(Number) })
    .from(orders)
    .where(allOf(orderFilters({ user_id })))
    .groupBy(orders.status);

const paid = inArray(orderRollups.status, [...paidStatuses]);

const revenue = sum(sql`${orderRollups.grand_total} - ${orderRollups.refunded_total}`);

/** The products with the highest revenue from orders in a paid status. */
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

/** The products with the highest revenue from orders in a paid status, in the days up to today. */
export const findTopProductsOfDays = (days: number, now: Date, limit: number) =>
  topProductsWithin(
    between(productDays.day, sql`${dayNumber(now)} - ${days - 1}::int`, dayNumber(now)),
    limit,
  );

/** The products with the highest revenue from orders in a paid status, within whole days. */
export const findProductFigures = ({ date_start, date_end, limit = 100 }: ProductFiguresQuery) =>
  topProductsWithin(withinDays(productDays.day, date_start, date_end), limit);

const topProductsWithin = (days: SQL | undefined, limit: number) => {
  const brought = sum(sql`${productDays.revenue}`);
  return build
    .select({
      product_id: products.id,
      title: products.title,
      orders: sum(sql`${productDays.orders}`),
      quantity: sum(sql`${productDays.quantity}`),
      revenue: brought,
    })
    .from(productDays)
    .innerJoin(products, eq(products.id, productDays.product_id))
    .where(days)
    .groupBy(products.id)
    .having(sql`sum(${productDays.orders}) > 0`)
    .orderBy(desc(brought), asc(products.id))
    .limit(limit);
};

/** Orders, items and revenue of the days up to today, oldest first. */
export const findDays = (days: number, now: Date) =>
  raw<{ date: string; lead: string; sales: string; quantity: string; revenue: string }>(sql`
    select d.date::date::text as date, r.*
      from (select (${now.toISOString()}::timestamptz at time zone s.timezone)::date as today
              from settings s) t
     cross join generate_series(t.today - ${days - 1}::int, t.today, interval '1 day') d (date)
     cross join lateral (
       select coalesce(sum(r.orders), 0) as lead,
              coalesce(sum(r.orders) filter (where p.paid), 0) as sales,
              coalesce(sum(r.quantity) filter (where p.paid), 0) as quantity,
              coalesce(sum(r.grand_total - r.refunded_total) filter (where p.paid), 0) as revenue
         from order_rollups r
        cross join lateral (
          select r.status = any (${sql.param([...paidStatuses])}::text[])
        ) p (paid)
        where r.dimension = 'day' and r.key = d.date::date - date '2000-01-01'
     ) r
     order by d.date`);
