import type * as z from 'zod';
import type { Config } from '../../config.ts';
import { decimalText } from '../../lib/money.ts';
import { cut } from '../../lib/text.ts';
import { understood, understoodAmount } from '../answers.ts';
import { ProviderError, parsed } from '../http.ts';
import { PageAddress } from '../pages.ts';
import type { Gateway, NewPayment, Payment, RefundProgress } from './gateway.ts';
import { type Api, apiOf, pathOf } from './paypal/api.ts';
import {
  type Capture,
  Dispute,
  Disputes,
  type Money,
  OpenedOrder,
  Order,
  Refund,
} from './paypal/answers.ts';
import { hintsOf, isPlausible, isSigned } from './paypal/webhook.ts';
import { unopened, unpaid } from './unpaid.ts';

interface Settings {
  readonly client: string;
  readonly secret: string;
  readonly webhook: string;
  readonly origin: string;
}

const origins = {
  production: 'https://api-m.paypal.com',
  sandbox: 'https://api-m.sandbox.paypal.com',
} as const;

/**
 * Takes payments through PayPal Orders v2 (paypal/paypal-rest-api-specifications, checkout_orders_v2). A buyer approves
 * an order, and money moves when the order is captured, which a look-up does.
 */
export function paypal(config: Config): Gateway | undefined {
  const { PAYPAL_CLIENT_ID: client, PAYPAL_SECRET: secret, PAYPAL_WEBHOOK_ID: webhook } = config;
  const { PAYPAL_MODE: mode, PAYPAL_API_URL: url } = config;
  if ([client, secret, webhook, mode, url].every((value) => value === undefined)) return undefined;
  if (client === undefined || secret === undefined || webhook === undefined) {
    throw new Error(
      'PayPal needs PAYPAL_CLIENT_ID, PAYPAL_SECRET and PAYPAL_WEBHOOK_ID. Set all of them, or remove all variables that start with PAYPAL_.',
    );
  }
  const origin = url ?? origins[mode ?? 'production'];
  return gatewayOf({ client, secret, webhook, origin });
}

/** developer.paypal.com/api/rest/reference/currency-codes, without the suspended rouble. */
const currencies =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  );

/** Currencies that are sent without decimals. */
const wholeUnits = ['HUF', 'JPY', 'TWD'];

const exponentOf = (currency: string) => (wholeUnits.includes(currency) ? 0 : 2);

const moneyOf = (amount: number, currency: string): Money => ({
  currency_code: currency,
  value: decimalText(amount, exponentOf(currency)),
});

const unitsOf = ({ value, currency_code }: Money) =>
  understoodAmount(value, exponentOf(currency_code));

const orderPath = (id: string, verb = '') => pathOf('v2/checkout/orders', id, verb);

function gatewayOf({ client, secret, webhook, origin }: Settings): Gateway {
  const apiFor = apiOf(client, secret, origin);
  const Page = PageAddress(origin);
  return {
    id: 'paypal',
    title: 'PayPal',
    unitOf: (currency) =>
      currencies.includes(currency) ? { exponent: exponentOf(currency), step: 1 } : undefined,
    limitsOf: () => ({}),
    // An order that nobody approves disappears after three hours (paypal/Checkout-PHP-SDK, issue 84).
    life: { min: 600, max: 10_800 },
    needs: [],
    replays: true,

    async open(payment, http, now) {
      const json = await apiFor(http, now)('/v2/checkout/orders', {
        body: orderOf(payment),
        headers: { 'paypal-request-id': payment.reference },
      });
      const { id, links } = understood(OpenedOrder, json);
      const link = links.find(({ rel }) => rel === 'payer-action' || rel === 'approve');
      // Buyers can approve for longer; later approvals aren't captured.
      const { expires_at } = payment;
      return { provider_id: id, url: understood(Page, link?.href), expires_at };
    },

    async look(attempt, http, now) {
      if (attempt.provider_id === null) return unopened(attempt, now);
      const api = apiFor(http, now);
      const order = await findOrder(api, attempt.provider_id);
      if (!order) return unpaid('expired');
      const captured = captureOf(order);
      if (captured) return paymentOf(order, captured, api);
      const isOver = !attempt.wanted || now.toISOString() >= attempt.expires_at;
      if (order.status === 'VOIDED' || isOver) {
        return unpaid('expired');
      }
      return order.status === 'APPROVED' ? captureNow(attempt.provider_id, api) : unpaid('open');
    },

    unproven(callback, now) {
      const event = parsed(callback.text);
      return event !== undefined && isPlausible(callback, now) ? hintsOf(event) : 'forged';
    },

    async read(callback, http, now) {
      const event = parsed(callback.text);
      if (event === undefined) return 'forged';
      const isTheirs = await isSigned(callback, webhook, apiFor(http, now));
      return isTheirs ? hintsOf(event) : 'forged';
    },

    async refund({ provider_id, payment_ref, currency }, { key, amount }, http, now) {
      if (provider_id === null || payment_ref === null) {
        throw new ProviderError('permanent', 'not_paid');
      }
      const api = apiFor(http, now);
      // PayPal answers a repeat for 45 days. The order shows the refund and its state for longer.
      const order = await findOrder(api, provider_id);
      const known = order && refundsOf(order).find(({ custom_id }) => custom_id === key);
      if (known) return progressOf(known);
      const json = await api(pathOf('v2/payments/captures', payment_ref, '/refund'), {
        body: { amount: moneyOf(amount, currency), custom_id: key },
        // Requests the whole record; otherwise PayPal sends only id and status.
        headers: { 'paypal-request-id': key, prefer: 'return=representation' },
      });
      return progressOf(understood(Refund, json));
    },
  };
}

const orderOf = ({ reference, order, amount, currency, return_url }: NewPayment) => ({
  intent: 'CAPTURE',
  purchase_units: [
    {
      custom_id: reference,
      invoice_id: reference,
      description: cut(order.title || order.number, 127),
      amount: moneyOf(amount, currency),
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        return_url,
        cancel_url: return_url,
        user_action: 'PAY_NOW',
        shipping_preference: 'NO_SHIPPING',
      },
    },
  },
});

async function findOrder(api: Api, id: string): Promise<Order | undefined> {
  const json = await api(orderPath(id), { nothing: [404] });
  return json === undefined ? undefined : understood(Order, json);
}

/** The money of an order: completed captures before pending ones, and these before declined ones. */
function captureOf({ purchase_units }: Order): Capture | undefined {
  const captures = purchase_units.flatMap(({ payments }) => payments?.captures ?? []);
  return (
    captures.find(({ status }) => stateOf[status] === 'paid') ??
    captures.find(({ status }) => status === 'PENDING') ??
    captures.at(-1)
  );
}

const refundsOf = ({ purchase_units }: Order) =>
  purchase_units.flatMap(({ payments }) => payments?.refunds ?? []);

const stateOf = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'paid',
  REFUNDED: 'paid',
  PENDING: 'pending',
  DECLINED: 'failed',
  FAILED: 'failed',
} as const;

/** Errors of a capture after which the buyer may approve the order again, by another method. */
const approvable = [
  'INSTRUMENT_DECLINED',
  'ORDER_NOT_APPROVED',
  'PAYER_ACTION_REQUIRED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
];

/**
 * Captures the money of an approved order. A repeat does no harm: an order is captured once. It sends no request id,
 * with which PayPal would repeat its answer about a card for hours, even if the buyer has replaced the card.
 */
async function captureNow(id: string, api: Api): Promise<Payment> {
  try {
    await api(orderPath(id, '/capture'), { body: {} });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (approvable.includes(error.code)) return unpaid('open');
    // Another look-up captured it at the same moment.
    if (error.code !== 'ORDER_ALREADY_CAPTURED') throw error;
  }
  const order = await findOrder(api, id);
  const captured = order && captureOf(order);
  return captured ? paymentOf(order, captured, api) : unpaid('pending');
}

async function paymentOf(order: Order, capture: Capture, api: Api): Promise<Payment> {
  const state = stateOf[capture.status];
  if (state !== 'paid') {
    // The bank has reversed captured funds; other refusals concern funds that never came.
    const reversed = state === 'failed' && capture.status_details?.reason === 'CHARGEBACK';
    return { ...unpaid(state), payment_ref: capture.id, ...(reversed && { reversed }) };
  }
  const amount = unitsOf(capture.amount);
  const refunds = refundsOf(order).filter((refund) => progressOf(refund).state !== 'failed');
  const returned = refunds.reduce((total, refund) => total + unitsOf(refund.amount), 0);
  const { dispute, losses } = await disputesOf(capture.id, api);
  const lost = unlistedOf(losses, refunds);
  const isAllReturned = capture.status === 'REFUNDED';
  return {
    state,
    paid: { amount, currency: capture.amount.currency_code },
    payment_ref: capture.id,
    refunded: isAllReturned ? amount : Math.min(amount, returned + lost),
    dispute,
  };
}

/**
 * Adds up the lost disputes that PayPal doesn't list among the refunds too. PayPal's documents don't link the two: a
 * refund of the same amount that isn't ours, and that was made after the dispute was opened, is the dispute's.
 */
function unlistedOf(losses: readonly Loss[], refunds: readonly z.output<typeof Refund>[]): number {
  const others = refunds.filter(({ custom_id }) => !custom_id);
  return losses.reduce((total, { amount, opened }) => {
    const listed = others.findIndex(
      (refund) => unitsOf(refund.amount) === amount && (refund.create_time ?? opened) >= opened,
    );
    if (listed !== -1) others.splice(listed, 1);
    return listed === -1 ? total + amount : total;
  }, 0);
}

interface Loss {
  readonly amount: number;
  /** Milliseconds since 1970; 0 if PayPal doesn't say. */
  readonly opened: number;
}

/** The disputes over a capture, if the app may see them, and their cost. */
async function disputesOf(capture: string, api: Api) {
  const query = new URLSearchParams({ disputed_transaction_id: capture, page_size: '50' });
  const json = await api(`/v1/customer/disputes?${query.toString()}`, {
    nothing: [403, 404],
  });
  const { items = [] } = json === undefined ? {} : understood(Disputes, json);
  if (items.length === 0) return { dispute: 'none', losses: [] } as const;
  const ended = await Promise.all(
    items
      .filter(({ status }) => status === 'RESOLVED')
      .map(async ({ dispute_id }) => lostIn(dispute_id, api)),
  );
  const isOpen = ended.length < items.length;
  const losses = ended.filter(({ amount }) => amount > 0);
  return { dispute: isOpen ? 'open' : losses.length > 0 ? 'lost' : 'won', losses } as const;
}

/** Returns the amount that a closed dispute cost the store, which may be 0. */
async function lostIn(id: string, api: Api): Promise<Loss> {
  const json = await api(pathOf('v1/customer/disputes', id));
  const { dispute_outcome: outcome, dispute_amount, create_time } = understood(Dispute, json);
  const isLost = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'].includes(outcome?.outcome_code ?? '');
  const amount = isLost ? unitsOf(outcome?.amount_refunded ?? dispute_amount) : 0;
  return { amount, opened: create_time ?? 0 };
}

const progress = {
  PENDING: 'sent',
  COMPLETED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
} as const;

const progressOf = ({ id, status }: z.output<typeof Refund>): RefundProgress => ({
  state: progress[status],
  provider_ref: id,
});
