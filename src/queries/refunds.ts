import { and, desc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { providerRefunds, refunds, type RefundRow } from '../schema/payments.ts';
import { build } from '../kernel/database/statements.ts';

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
