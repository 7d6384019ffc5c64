/** Xendit's records of a payment, in the words of docs.xendit.co/apidocs. */
import { randomUUID } from 'node:crypto';
import { type checkedSession, numberOf } from './checks.ts';

export interface Refund {
  readonly id: string;
  readonly reference: string | null;
  readonly reason: string;
  /** In the currency's smallest unit, like all amounts here. */
  readonly amount: number;
  readonly created: string;
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
}

export interface Payment {
  readonly id: string;
  readonly request_id: string;
  amount: number;
  currency: string;
  status: 'PENDING' | 'SUCCEEDED';
  readonly refunds: Refund[];
  dispute: { readonly id: string; readonly status: 'ACTION_REQUIRED' | 'WON' | 'LOST' } | null;
}

export interface Session extends ReturnType<typeof checkedSession> {
  readonly id: string;
  readonly created: string;
  status: 'ACTIVE' | 'COMPLETED' | 'EXPIRED' | 'CANCELED';
  payment: Payment | null;
}

export const business_id = '661f87c614802d6c402cd82d';

/** Sums up the made and pending refunds of a payment. */
export const refundedOf = ({ refunds }: Payment) =>
  refunds
    .filter(({ status }) => status !== 'FAILED')
    .reduce((total, { amount }) => total + amount, 0);

export function sessionAnswer(session: Session) {
  const { id, created, reference, currency, country, amount, expires_at, status } = session;
  const payment = status === 'COMPLETED' ? session.payment : null;
  return {
    payment_session_id: id,
    created,
    reference_id: reference,
    session_type: 'PAY',
    mode: 'PAYMENT_LINK',
    currency,
    country,
    amount: numberOf(amount, currency),
    // Xendit's times have no fractions of seconds.
    expires_at: expires_at.toISOString().replace(/\.\d+Z$/, 'Z'),
    status,
    payment_link_url: `https://checkout-staging.xendit.co/sessions/${id}`,
    payment_token_id: null,
    payment_request_id: payment?.request_id ?? null,
    payment_id: payment?.id ?? null,
    business_id,
  };
}

export function paymentAnswer(session: Session, payment: Payment) {
  const { id, request_id, amount, currency, status } = payment;
  const capture = {
    capture_id: `cap-${randomUUID()}`,
    capture_amount: numberOf(amount, currency),
    capture_timestamp: session.created,
  };
  return {
    payment_id: id,
    business_id,
    reference_id: session.reference,
    payment_request_id: request_id,
    type: 'PAY',
    country: session.country,
    currency,
    request_amount: numberOf(session.amount, session.currency),
    capture_method: 'AUTOMATIC',
    channel_code: 'OVO',
    captures: status === 'SUCCEEDED' ? [capture] : [],
    status,
  };
}

export function refundAnswer({ id: payment_id, request_id, currency }: Payment, refund: Refund) {
  const { id, reference, amount, status, reason, created } = refund;
  return {
    id,
    payment_request_id: request_id,
    payment_id,
    invoice_id: null,
    reference_id: reference,
    currency,
    amount: numberOf(amount, currency),
    status,
    reason,
    failure_code: status === 'FAILED' ? 'REFUND_FAILED' : null,
    created,
  };
}

export function disputeAnswer({ reference, created }: Session, payment: Payment) {
  const { id: payment_id, amount, currency, dispute } = payment;
  const text = numberOf(amount, currency).toFixed(2);
  const isOver = dispute?.status === 'WON' || dispute?.status === 'LOST';
  return {
    id: dispute?.id,
    status: dispute?.status,
    status_reason: isOver ? 'CHALLENGED' : null,
    channel_code: 'CARDS',
    currency,
    amount: { initial: text, terminal: isOver ? text : null },
    payment_id,
    reference_id: reference,
    created_at: created,
  };
}
