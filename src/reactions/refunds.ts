import { drawId, nextId } from '../kernel/database/statements.ts';
import type { OrderChange } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { refundEvent } from '../domain/refund/events.ts';
import { closeRefunds, insertRefund } from '../queries/refunds.ts';
import { type RefundRow } from '../schema/payments.ts';

/** The refund that a change of an order makes, if it gives money back. */
export function refundOf(
  { before, after, actor, note, now }: OrderChange,
  id: number,
): RefundRow | undefined {
  const amount = after.refunded_total - (before?.refunded_total ?? 0);
  if (amount <= 0) return undefined;
  return {
    id,
    order_id: after.id,
    amount,
    currency: after.currency,
    reason: note,
    actor_type: actor.type,
    actor_id: actor.id,
    created_at: now.toISOString(),
    reopened_at: null,
  };
}

/**
 * Whatever gives money back (a refund, a status, a cancellation after payment) leaves its row. Where an
 * order is reopened, to be paid anew, those rows no longer count.
 */
export const refunds = reaction({
  errors: [],
  load: () => ({ id: drawId('refunds') }),
  decide: (change, { id }) => {
    const { before, after, now } = change;
    if (before && before.refunded_total > after.refunded_total) {
      return { write: [closeRefunds(after.id, now)] };
    }
    const refund = refundOf(change, nextId(id));
    if (!refund) return { write: [] };
    return {
      write: [insertRefund(refund)],
      events: [refundEvent('order.refund-created', refund)],
    };
  },
});
