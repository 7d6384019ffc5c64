import { type Statement, drawId, nextId, unsent } from '../kernel/database/statements.ts';
import { newProviderRefund } from '../domain/payment/settlement.ts';
import { findBookedSession } from '../queries/payment-sessions.ts';
import { insertProviderRefund } from '../queries/provider-refunds.ts';
import type { OrderChange } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { firstState, shownRefund } from '../domain/refund/rules.ts';
import { refundEvent } from '../domain/refund/events.ts';
import { closeRefunds, insertRefund } from '../queries/refunds.ts';
import type { RefundRow, SessionRow } from '../schema/payments.ts';

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

/** What has the provider give the money back that came through it, where it can. */
function sentBack(
  { id, amount }: RefundRow,
  session: SessionRow | undefined,
  { refundedThere, now }: OrderChange,
): Statement[] {
  if (!session || !(session.refundable || refundedThere)) return [];
  return [
    insertProviderRefund(
      newProviderRefund(session.id, amount, { refund_id: id }, refundedThere, now),
    ),
  ];
}

/**
 * Whatever gives money back (a refund, a status, a cancellation after payment) leaves its row. Where an
 * order is reopened, to be paid anew, those rows no longer count.
 */
export const refunds = reaction({
  errors: [],
  load: (target) => ({
    id: drawId('refunds'),
    paidBy: target.kind === 'existing' ? findBookedSession(target.id) : unsent(findBookedSession),
  }),
  decide: (change, { id, paidBy }) => {
    const { before, after, now } = change;
    if (before && before.refunded_total > after.refunded_total) {
      return { write: [closeRefunds(after.id, now)] };
    }
    const refund = refundOf(change, nextId(id));
    if (!refund) return { write: [] };
    return {
      write: [insertRefund(refund), ...sentBack(refund, paidBy[0], change)],
      events: [
        refundEvent(
          'order.refund-created',
          shownRefund(refund, firstState(paidBy[0], change.refundedThere)),
        ),
      ],
    };
  },
});
