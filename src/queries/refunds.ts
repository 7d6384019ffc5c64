import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { providerRefunds, refunds, type RefundRow } from '../schema/payments.ts';
import { build, raw } from '../kernel/database/statements.ts';

/** The refunds of an order, newest first, with what became of those that providers have to pay. */
export const findRefunds = (order_id: number) =>
  build
    .select({ refund: getTableColumns(refunds), state: providerRefunds.state })
    .from(refunds)
    .leftJoin(providerRefunds, eq(providerRefunds.refund_id, refunds.id))
    .where(eq(refunds.order_id, order_id))
    .orderBy(desc(refunds.id));

/** Notes of the refunds of an order that they are of a payment before: it waits for another now. */
export const closeRefunds = (order_id: number, now: Date) =>
  build
    .update(refunds)
    .set({ reopened_at: now.toISOString() })
    .where(and(eq(refunds.order_id, order_id), isNull(refunds.reopened_at)));

export const insertRefund = (refund: RefundRow) => build.insert(refunds).values(refund);

/** Leaves a part of its amount to a refund, and the rest to another that is the same otherwise. */
export const splitRefundRow = (id: number, amount: number, restId: number) => [
  raw(sql`insert into refunds (id, order_id, amount, currency, reason, actor_type, actor_id,
      created_at, reopened_at)
    select ${restId}, order_id, amount - ${amount}, currency, reason, actor_type, actor_id,
      created_at, reopened_at from refunds where id = ${id}`),
  build.update(refunds).set({ amount }).where(eq(refunds.id, id)),
];
