import type * as z from 'zod';
import type { ProviderRefundRow, RefundRow } from '../../schema/payments.ts';
import { isReversed } from '../payment/sessions.ts';
import type { OrderChange } from '../order/change.ts';
import type { ListedRefund, Refund } from './schemas.ts';

type RefundState = z.output<typeof Refund>['state'];

export const shownRefund = (
  row: RefundRow,
  state: RefundState,
  paid_by_hand_at: string | null = null,
): z.output<typeof Refund> => ({ ...row, state, paid_by_hand_at });

/** `provided` is null if no provider pays the refund. */
export interface ProvidedRefund {
  readonly refund: RefundRow;
  readonly provided: ProviderRefundRow | null;
}

export function shownProvided({ refund, provided }: ProvidedRefund): z.output<typeof Refund> {
  if (provided === null) return shownRefund(refund, 'manual');
  const { state, paid_by_hand_at } = provided;
  const isByHand = state === 'failed' && paid_by_hand_at !== null;
  return shownRefund(refund, isByHand ? 'paid_by_hand' : state, paid_by_hand_at);
}

export interface RefundOfOrder extends ProvidedRefund {
  readonly order: ListedRefund['order'];
}

export const shownListed = (row: RefundOfOrder): ListedRefund => ({
  ...shownProvided(row),
  order: row.order,
});

export interface NewRefund {
  readonly row: RefundRow;
  readonly state: RefundState;
}

export const shownNew = ({ row, state }: NewRefund) =>
  shownRefund(row, state, state === 'paid_by_hand' ? row.created_at : null);

/** One refund for the provider's part, and one for the part that the store pays itself. */
export function refundsOf(
  { after, refund, actor, note, now }: OrderChange,
  ids: readonly [number, number],
): NewRefund[] {
  if (!refund) return [];
  const { session, byProvider, byHand, isMade } = refund;
  const made = session && isReversed(session) ? 'paid_by_hand' : 'succeeded';
  const parts: { amount: number; state: RefundState }[] = [
    { amount: byProvider, state: isMade ? made : 'requested' },
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
