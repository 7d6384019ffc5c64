import type * as z from 'zod';
import type { RefundRow } from '../../schema/payments.ts';
import type { OrderChange } from '../order/change.ts';
import type { Refund } from './schemas.ts';

type RefundState = z.output<typeof Refund>['state'];

/** A refund as it is shown. */
export const shownRefund = (row: RefundRow, state: RefundState): z.output<typeof Refund> => ({
  ...row,
  state,
});

/** A refund that a change of an order makes. */
export interface NewRefund {
  readonly row: RefundRow;
  readonly state: RefundState;
}

/**
 * The refunds that a change of an order makes: one of the money that its provider gives back, and one
 * of the rest, which the store pays itself.
 */
export function refundsOf(
  { after, refund, actor, note, now }: OrderChange,
  ids: readonly [number, number],
): NewRefund[] {
  if (!refund) return [];
  const { byProvider, byHand, isMade } = refund;
  const parts: { amount: number; state: RefundState }[] = [
    { amount: byProvider, state: isMade ? 'succeeded' : 'requested' },
    { amount: byHand, state: 'manual' },
  ];
  return parts
    .map(({ amount, state }, index) => ({
      row: {
        id: ids[index] ?? 0,
        order_id: after.id,
        amount,
        currency: after.currency,
        reason: note,
        actor_type: actor.type,
        actor_id: actor.id,
        created_at: now.toISOString(),
        reopened_at: null,
      },
      state,
    }))
    .filter(({ row }) => row.amount > 0);
}
