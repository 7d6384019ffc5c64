import { desc, eq } from 'drizzle-orm';
import { refunds } from '../../db/schema/payments.ts';
import { build } from '../../db/statements.ts';

export type RefundRow = typeof refunds.$inferSelect;

/** The refunds of an order, newest first. */
export const findRefunds = (order_id: number) =>
  build.select().from(refunds).where(eq(refunds.order_id, order_id)).orderBy(desc(refunds.id));

export const insertRefund = (refund: RefundRow) => build.insert(refunds).values(refund);
