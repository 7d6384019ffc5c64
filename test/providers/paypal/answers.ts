/** PayPal's records of an order, in the words of paypal/paypal-rest-api-specifications. */
import { type checkedOrder, writtenMoney } from './checks.ts';

export interface Refund {
  readonly id: string;
  /** In the currency's smallest unit, like all amounts here. */
  readonly amount: number;
  readonly custom_id: string | null;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
}

export interface Capture {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED';
  /** True while the buyer's bank has the money back. */
  isChargedBack?: boolean;
  readonly refunds: Refund[];
}

export interface Dispute {
  readonly id: string;
  readonly state: 'open' | 'won' | 'lost';
}

export interface Order extends ReturnType<typeof checkedOrder> {
  readonly id: string;
  readonly created: Date;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  approved: Date | null;
  plan: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'instrument declined';
  /** The captured amount, if it differs from the requested one. */
  changed: { readonly amount?: number; readonly currency?: string };
  capture: Capture | null;
  dispute: Dispute | null;
}

const api = 'https://api.sandbox.paypal.com';
const link = (rel: string, href: string, method = 'GET') => ({ rel, href, method });

/** Sums up the made and pending refunds of a capture. */
export const refundedOf = ({ refunds }: Capture) =>
  refunds
    .filter(({ status }) => status !== 'FAILED')
    .reduce((total, { amount }) => total + amount, 0);

export const linksOf = ({ id, status }: Order) => [
  link('self', `${api}/v2/checkout/orders/${id}`),
  ...(status === 'PAYER_ACTION_REQUIRED'
    ? [link('payer-action', `https://www.sandbox.paypal.com/checkoutnow?token=${id}`)]
    : []),
];

export function orderAnswer(order: Order) {
  const { id, status, amount, currency, custom_id, invoice_id, capture, created } = order;
  const payments = capture && {
    captures: [captureAnswer(order, capture)],
    ...(capture.refunds.length > 0 && {
      refunds: capture.refunds.map((refund) => refundAnswer(order, capture, refund)),
    }),
  };
  return {
    id,
    intent: 'CAPTURE',
    status,
    payment_source: { paypal: {} },
    purchase_units: [
      {
        reference_id: 'default',
        amount: writtenMoney(amount, currency),
        custom_id,
        invoice_id,
        ...(payments && { payments }),
      },
    ],
    create_time: created.toISOString(),
    links: linksOf(order),
  };
}

export function captureAnswer(order: Order, capture: Capture) {
  const { id, amount, currency, refunds } = capture;
  const returned = refunds
    .filter((refund) => refund.status === 'COMPLETED')
    .reduce((total, refund) => total + refund.amount, 0);
  const refunded = returned === amount ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  return {
    id,
    status: returned > 0 && !capture.isChargedBack ? refunded : capture.status,
    ...(capture.isChargedBack && { status_details: { reason: 'CHARGEBACK' } }),
    amount: writtenMoney(amount, currency),
    final_capture: true,
    custom_id: order.custom_id,
    invoice_id: order.invoice_id,
    supplementary_data: { related_ids: { order_id: order.id } },
    links: [
      link('self', `${api}/v2/payments/captures/${id}`),
      link('up', `${api}/v2/checkout/orders/${order.id}`),
    ],
  };
}

export const refundAnswer = (order: Order, capture: Capture, refund: Refund) => ({
  id: refund.id,
  status: refund.status,
  amount: writtenMoney(refund.amount, capture.currency),
  invoice_id: order.invoice_id,
  ...(refund.custom_id !== null && { custom_id: refund.custom_id }),
  links: [
    link('self', `${api}/v2/payments/refunds/${refund.id}`),
    link('up', `${api}/v2/payments/captures/${capture.id}`),
  ],
});

const statusOf = ({ state }: Dispute) => (state === 'open' ? 'UNDER_REVIEW' : 'RESOLVED');

export const disputeItem = (dispute: Dispute) => ({
  dispute_id: dispute.id,
  reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
  status: statusOf(dispute),
});

export function disputeAnswer(order: Order, capture: Capture, dispute: Dispute) {
  const money = writtenMoney(capture.amount, capture.currency);
  const outcome =
    dispute.state === 'lost'
      ? { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: money }
      : { outcome_code: 'RESOLVED_SELLER_FAVOUR' };
  return {
    ...disputeItem(dispute),
    disputed_transactions: [
      {
        seller_transaction_id: capture.id,
        custom: order.custom_id,
        invoice_number: order.invoice_id,
      },
    ],
    dispute_amount: money,
    ...(dispute.state !== 'open' && { dispute_outcome: outcome }),
  };
}
