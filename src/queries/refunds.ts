import { type SQL, and, desc, eq, gte, isNull, sql } from 'drizzle-orm';
import { type Window, allOf, paged, since, until } from '../kernel/database/filters.ts';
import {
  recordFrom,
  recordOf,
  recordOrNullFrom,
  selectRecords,
} from '../kernel/database/records.ts';
import { type Argument, build, raw } from '../kernel/database/statements.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { RefundQuery } from '../domain/refund/schemas.ts';
import { isInState } from './provider-refunds.ts';
import { orders } from '../schema/orders.ts';
import { providerRefunds, refunds, type RefundRow } from '../schema/payments.ts';

const provided = recordOrNullFrom(
  providerRefunds,
  eq(providerRefunds.refund_id, refunds.id),
  providerRefunds,
);

export const findRefunds = (order_id: Argument<number> | SQL) =>
  selectRecords(recordOf({ refund: refunds, provided }))
    .from(refunds)
    .where(eq(refunds.order_id, order_id))
    .orderBy(desc(refunds.id));

const listed = recordOf({
  refund: refunds,
  provided,
  order: recordFrom(orders, eq(orders.id, refunds.order_id), {
    id: orders.id,
    number: orders.number,
    deleted_at: orders.deleted_at,
  }),
});

export const findRefund = (id: number) =>
  selectRecords(listed).from(refunds).where(eq(refunds.id, id));

const filters = ({
  state,
  order_id,
  date_start,
  date_end,
}: RefundQuery): ConditionsFor<RefundQuery> => ({
  state: state && isInState(state),
  order_id: order_id === undefined ? undefined : eq(refunds.order_id, order_id),
  date_start: since(refunds.created_at, date_start),
  date_end: until(refunds.created_at, date_end),
});

/** Includes refunds of deleted orders. */
export const listRefunds = (query: RefundQuery, window: Window) =>
  paged(selectRecords(listed).from(refunds).$dynamic(), refunds.id, filters(query), window);

export const countRefunds = (query: RefundQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(refunds)
    .where(allOf(filters(query)));

/** Counts the refunds from a time on that no provider pays. Only the newest 5,000 are read; their ids have gaps. */
export const countByHand = (from: Date) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(refunds)
    .where(
      and(
        isInState('manual'),
        gte(refunds.created_at, from.toISOString()),
        sql`${refunds.id} >= (
          select min(id) from (select id from refunds order by id desc limit 5000) newest)`,
      ),
    );

/** Marks an order's refunds as refunds of an earlier payment: the order now waits for another one. */
export const closeRefunds = (order_id: number, now: Date) =>
  build
    .update(refunds)
    .set({ reopened_at: now.toISOString() })
    .where(and(eq(refunds.order_id, order_id), isNull(refunds.reopened_at)));

export const insertRefund = (refund: RefundRow) => build.insert(refunds).values(refund);

/** Splits a refund: it keeps a part of its amount, and a copy gets the rest. */
export const splitRefundRow = (id: number, amount: number, restId: number) => [
  raw(sql`insert into refunds (id, order_id, amount, currency, reason, actor_type, actor_id,
      created_at, reopened_at)
    select ${restId}, order_id, amount - ${amount}, currency, reason, actor_type, actor_id,
      created_at, reopened_at from refunds where id = ${id}`),
  build.update(refunds).set({ amount }).where(eq(refunds.id, id)),
];
