import { type Results, type Statement, drawId, nextId } from '../kernel/database/statements.ts';
import { newProviderRefund, settledRefund } from '../domain/payment/settlement.ts';
import { insertProviderRefund } from '../queries/provider-refunds.ts';
import type { OrderChange } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { type NewRefund, refundsOf, shownNew } from '../domain/refund/rules.ts';
import { refundEvent } from '../domain/refund/events.ts';
import { closeRefunds, insertRefund } from '../queries/refunds.ts';

const drawIds = () => ({ first: drawId('refunds'), second: drawId('refunds') });

type DrawnIds = Results<ReturnType<typeof drawIds>>;

export const newRefunds = (change: OrderChange, { first, second }: DrawnIds): NewRefund[] =>
  refundsOf(change, [nextId(first), nextId(second)]);

/** Requests the refund of a provider's part, unless the provider has made it already. */
function givenBack({ row, state }: NewRefund, { refund, now }: OrderChange): Statement[] {
  if (!refund?.session || state === 'manual') return [];
  const { session, isMade, ofDispute = false } = refund;
  const { id: refund_id, amount } = row;
  // If a reversed payment comes again, its refund must not count as made by the provider.
  const made =
    state === 'paid_by_hand'
      ? settledRefund(session, amount, { refund_id }, 'reversed', now)
      : newProviderRefund(session, amount, { refund_id, of_dispute: ofDispute }, isMade, now);
  return [insertProviderRefund(made)];
}

/**
 * Records every return of money: by refund, status, or cancellation after payment. Reopening an order for another
 * payment closes its earlier refunds.
 */
export const refunds = reaction({
  errors: [],
  load: drawIds,
  decide: (change, ids) => {
    const { before, after, now } = change;
    if (before && before.refunded_total > after.refunded_total) {
      return { write: [closeRefunds(after.id, now)] };
    }
    const made = newRefunds(change, ids);
    return {
      write: made.flatMap((refund) => [insertRefund(refund.row), ...givenBack(refund, change)]),
      events: made.map((refund) => refundEvent('order.refund-created', shownNew(refund))),
    };
  },
});
