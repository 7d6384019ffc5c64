import type { OrderColumns } from '../../schema/orders.ts';
import { statusGroup } from '../order/transitions.ts';
import type { ProviderRefundRow, SessionRow } from '../../schema/payments.ts';
import type { RefundSplit } from '../order/change.ts';
import { isReversed } from './sessions.ts';
import { providerRefundTotal } from './settlement.ts';

/** The payment of an order, with its refunds so far. */
export interface BookedPayment {
  readonly session: SessionRow;
  readonly given_back: number;
  /** The amount of its last reversal; null if there was none. */
  readonly taken_back: number | null;
  /** True if the store keeps other money for the order: an accepted payment, or an assigned transfer. */
  readonly has_other_money: boolean;
}

/** Tells if money in another currency than the order's was accepted. */
const isForeign = ({ currency, paid_currency }: SessionRow) =>
  paid_currency !== null && paid_currency !== currency;

export const paidIn = ({ paid_amount, amount }: SessionRow) => paid_amount ?? amount;

/** Tells if the provider still holds money of a payment. */
export const isMoneyThere = ({ session, given_back }: BookedPayment): boolean =>
  paidIn(session) > given_back;

/** Tells if the provider holds money beyond the total. No refund of the order returns it. */
export const isRestThere = (payment: BookedPayment, grand_total: number): boolean =>
  (isForeign(payment.session) ? payment.session.amount : paidIn(payment.session)) > grand_total &&
  isMoneyThere(payment);

/** In the order's currency. */
const leftAt = ({ session, given_back }: BookedPayment): number =>
  isForeign(session) ? 0 : Math.max(0, paidIn(session) - given_back);

/** The provider returns at most what it has left; the store pays the rest. The buyer has what the bank took back. */
export function splitRefund(amount: number, payment: BookedPayment | undefined): RefundSplit {
  if (payment && isReversed(payment.session)) return takenBack(amount, payment);
  const byProvider = payment?.session.refundable ? Math.min(amount, leftAt(payment)) : 0;
  return { session: payment?.session, byProvider, byHand: amount - byProvider, isMade: false };
}

/** The bank returned at most what had come. */
function takenBack(
  amount: number,
  { session, given_back, taken_back }: BookedPayment,
): RefundSplit {
  const came = taken_back ?? session.amount;
  const byProvider = isForeign(session) ? amount : Math.min(amount, Math.max(0, came - given_back));
  return { session, byProvider, byHand: amount - byProvider, isMade: true };
}

/** Tells if the bank took back the payment of a paid order. A refund of the order would not return any other money. */
export const isPaidByReversed = (
  order: Pick<OrderColumns, 'status'> | undefined,
  payment: BookedPayment | undefined,
): boolean =>
  order !== undefined &&
  statusGroup(order.status) !== 'closed' &&
  payment !== undefined &&
  isReversed(payment.session);

/** Tells if a refund would miss other money that the store keeps for an order whose payment the bank took back. */
export const hasMoneyBesideReversed = (payment: BookedPayment | undefined): boolean =>
  payment !== undefined && payment.has_other_money && isReversed(payment.session);

/** A newly reported refund that the provider made by itself. */
export interface RefundThere {
  readonly amount: number;
  /** True if a lost dispute returned the money. */
  readonly ofDispute: boolean;
}

/** Returns a refund that was made at the provider. If it exceeds the money that came, the store pays the rest by hand. */
export function madeThere(amount: number, payment: BookedPayment, ofDispute: boolean): RefundSplit {
  const { session } = payment;
  const byProvider = isForeign(session) ? amount : Math.min(amount, leftAt(payment));
  return { session, byProvider, byHand: amount - byProvider, isMade: true, ofDispute };
}

/**
 * Returns the part of a refund at the provider that the order must book. Money beyond the total is refunded first:
 * meanwhile the order stays paid in full. In another currency only a full refund can be booked, as the order's whole
 * total. The same applies if a lost dispute takes all of a payment that was smaller than the total.
 */
export function partOfOrder(
  { amount, ofDispute }: RefundThere,
  session: SessionRow,
  grand_total: number,
  known: readonly ProviderRefundRow[],
): number {
  const paid = paidIn(session);
  const isAll = providerRefundTotal(known) + amount >= paid;
  if (isForeign(session)) return isAll ? grand_total : 0;
  if (ofDispute && isAll && paid < grand_total) return grand_total;
  const beside = providerRefundTotal(known.filter(({ refund_id }) => refund_id === null));
  return amount - Math.min(amount, Math.max(0, paid - grand_total - beside));
}
