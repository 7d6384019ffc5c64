import type { ProviderRefundRow, SessionRow } from '../../schema/payments.ts';
import type { RefundSplit } from '../order/change.ts';
import { givenBackOf } from './settlement.ts';

/** The payment that paid an order, with its refunds so far. */
export interface BookedPayment {
  readonly session: SessionRow;
  readonly given_back: number;
  /** True if the provider reversed the payment after reporting it as paid. */
  readonly reversed: boolean;
}

/** Tells if money in another currency than the order's was accepted. */
const isForeign = ({ currency, paid_currency }: SessionRow) =>
  paid_currency !== null && paid_currency !== currency;

const paidIn = ({ paid_amount, amount }: SessionRow) => paid_amount ?? amount;

/** Tells if money of a payment is still at its provider. */
export const isMoneyThere = ({ session, given_back, reversed }: BookedPayment): boolean =>
  !reversed && paidIn(session) > given_back;

/** Tells if the provider holds money for an earlier, higher total: no refund of the order returns it. */
export const isRestThere = (payment: BookedPayment, grand_total: number): boolean =>
  payment.session.amount > grand_total && isMoneyThere(payment);

/** Returns the money that came through a provider and was not refunded, in the order's currency. */
const leftAt = ({ session, given_back, reversed }: BookedPayment): number =>
  reversed || isForeign(session) ? 0 : Math.max(0, paidIn(session) - given_back);

/** Splits a refund: the provider returns at most what is left there; the store pays the rest. */
export function splitRefund(amount: number, payment: BookedPayment | undefined): RefundSplit {
  const byProvider = payment?.session.refundable ? Math.min(amount, leftAt(payment)) : 0;
  return { session: payment?.session, byProvider, byHand: amount - byProvider, isMade: false };
}

/** The split of a refund that was made at the provider. */
export const madeThere = (amount: number, session: SessionRow): RefundSplit => ({
  session,
  byProvider: amount,
  byHand: 0,
  isMade: true,
});

/**
 * Returns the part of a refund at the provider that the payment's order must book. Money beyond the total is refunded
 * first: meanwhile the order is still paid in full. Of money in another currency only a full refund can be booked, as
 * all of the order's total.
 */
export function partOfOrder(
  amount: number,
  session: SessionRow,
  grand_total: number,
  known: readonly ProviderRefundRow[],
): number {
  const paid = paidIn(session);
  if (isForeign(session)) return givenBackOf(known) + amount < paid ? 0 : grand_total;
  const beside = givenBackOf(known.filter(({ refund_id }) => refund_id === null));
  return amount - Math.min(amount, Math.max(0, paid - grand_total - beside));
}
