import { type Results, type Statement, drawId, nextId } from '../kernel/database/statements.ts';
import { newProviderRefund } from '../domain/payment/settlement.ts';
import { insertProviderRefund } from '../queries/provider-refunds.ts';
import type { OrderChange } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { type NewRefund, refundsOf, shownRefund } from '../domain/refund/rules.ts';
import { refundEvent } from '../domain/refund/events.ts';
import { closeRefunds, insertRefund } from '../queries/refunds.ts';

const drawIds = () => ({ first: drawId('refunds'), second: drawId('refunds') });

type DrawnIds = Results<ReturnType<typeof drawIds>>;

export const newRefunds = (change: OrderChange, { first, second }: DrawnIds): NewRefund[] =>
  refundsOf(change, [nextId(first), nextId(second)]);

/** Requests the refund of a provider's part, unless the provider has made it already. */
function givenBack({ row, state }: NewRefund, { refund, now }: OrderChange): Statement[] {
  if (!refund?.session || state === 'manual') return [];
  const { session, isMade } = refund;
  const made = newProviderRefund(session.id, row.amount, { refund_id: row.id }, isMade, now);
  // The bank returned this money. If the payment comes again, it must not count as refunded by the provider.
  const settled = { state: 'failed', made_there: false, paid_by_hand_at: made.created_at } as const;
  return [insertProviderRefund(state === 'paid_by_hand' ? { ...made, ...settled } : made)];
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
      events: made.map(({ row, state }) =>
        refundEvent('order.refund-created', shownRefund(row, state)),
      ),
    };
  },
});
