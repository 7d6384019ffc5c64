import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { cut } from '../../lib/text.ts';
import { ProviderError, parsed } from '../http.ts';
import { PageAddress } from '../pages.ts';
import type { Attempt, Gateway, NewPayment, Payment, RefundProgress } from './gateway.ts';
import {
  Dispute,
  Event,
  type Intent,
  Named,
  OpenedSession,
  Refund,
  Session,
  type Session as SessionAnswer,
} from './stripe/answers.ts';
import { StripeApi, read } from './stripe/api.ts';
import { limitsOf, unitOf } from './stripe/currencies.ts';
import { isSigned } from './stripe/signature.ts';

interface Settings {
  readonly key: string;
  readonly webhookSecret: string;
  readonly origin: string;
}

/** The largest number of characters of the goods' name on the page, and of a value in metadata. */
const mostName = 250;
const mostMetadata = 500;

/** Milliseconds in which attempts of a refund share a key. Stripe repeats a 500 to the same key for a day. */
const keyLife = 600_000;

/**
 * Opens payments on Stripe Checkout's pages.
 * @returns undefined if it isn't configured
 * @throws Error naming variables that are missing or contradict each other
 */
export function stripe(config: Config): Gateway | undefined {
  const settings = settingsOf(config);
  return settings && gatewayOf(settings);
}

function settingsOf({
  STRIPE_SECRET_KEY: key,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_MODE: mode,
  STRIPE_API_URL: origin,
}: Config): Settings | undefined {
  if ([key, webhookSecret, mode, origin].every((value) => value === undefined)) return undefined;
  if (key === undefined) {
    throw new Error(
      'STRIPE_SECRET_KEY is missing: set it to a secret or restricted key of Stripe.',
    );
  }
  if (webhookSecret === undefined) {
    throw new Error(
      'STRIPE_WEBHOOK_SECRET is missing: set it to the signing secret of the webhook endpoint at Stripe.',
    );
  }
  const kind = /^(?:sk|rk)_(test|live)_/.exec(key)?.[1];
  if (kind === undefined) {
    throw new Error(
      'STRIPE_SECRET_KEY must be a secret or restricted key: it starts with sk_ or rk_, then test_ or live_.',
    );
  }
  if (mode !== undefined && mode !== (kind === 'test' ? 'sandbox' : 'production')) {
    throw new Error(
      `STRIPE_MODE is ${mode}, and STRIPE_SECRET_KEY is a ${kind} key: change one of them, or remove STRIPE_MODE.`,
    );
  }
  return { key, webhookSecret, origin: origin ?? 'https://api.stripe.com' };
}

function gatewayOf({ key, webhookSecret, origin }: Settings): Gateway {
  const api = new StripeApi(origin, key);
  const Opening = OpenedSession(PageAddress(origin));

  return {
    id: 'stripe',
    title: 'Card and more',
    unitOf,
    limitsOf,
    // Stripe's own limits are 30 minutes and a day from the time it gets the request.
    life: { min: 31 * 60, max: 24 * 3600 - 60 },
    needs: [],
    replays: true,

    async open(payment, http) {
      const fields = checkoutFields(payment);
      const asked = await api.post(http, 'checkout/sessions', fields, payment.reference);
      const { id, url, expires_at } = read(asked, Opening);
      if (url === null) throw new ProviderError('permanent', 'no_page');
      return { provider_id: id, url, expires_at: new Date(expires_at * 1000).toISOString() };
    },

    look: (attempt, http) => paymentOf(api, attempt, http),

    async read(callback, _http, now) {
      const { text } = callback;
      const signature = callback.header('stripe-signature') ?? '';
      if (!(await isSigned(text, signature, webhookSecret, now))) return 'forged';
      const event = Event.safeParse(parsed(text));
      return event.success ? [event.data] : [];
    },

    async cancel(attempt, http) {
      const asked = await api.post(http, `${pathOf(attempt)}/expire`, {});
      // A finished session can't expire, and Stripe has no code for that.
      if (asked.status === 400 && (await paymentOf(api, attempt, http)).state !== 'open') return;
      read(asked, Named);
    },

    async refund({ payment_ref }, { key, amount, reason }, http, now) {
      if (payment_ref === null) throw new ProviderError('permanent', 'no_payment');
      const fields = {
        payment_intent: payment_ref,
        amount: String(amount),
        'metadata[refund_key]': key,
        'metadata[reason]': reason && cut(reason, mostMetadata),
      };
      const made = await refundOf(api, payment_ref, key, http);
      if (made) return progressOf(made);
      // A request answered with 500 may still take effect: only a later attempt, which searches first, asks again.
      const current = `${key}-${Math.floor(now.getTime() / keyLife)}`;
      return progressOf(read(await api.post(http, 'refunds', fields, current), Refund));
    },
  };
}

const checkoutFields = ({ reference, order, amount, currency, ...payment }: NewPayment) => ({
  mode: 'payment',
  client_reference_id: reference,
  customer_email: payment.buyer.email,
  expires_at: String(Math.floor(Date.parse(payment.expires_at) / 1000)),
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': currency.toLowerCase(),
  'line_items[0][price_data][unit_amount]': String(amount),
  'line_items[0][price_data][product_data][name]': cut(order.title, mostName),
  ...metadata('metadata', reference, order),
  ...metadata('payment_intent_data[metadata]', reference, order),
  success_url: payment.return_url,
  cancel_url: payment.return_url,
});

/** Metadata by which a payment is found in Stripe's dashboard. */
const metadata = (field: string, reference: string, order: NewPayment['order']) => ({
  [`${field}[reference]`]: reference,
  [`${field}[order_id]`]: String(order.id),
  [`${field}[order_number]`]: order.number,
});

/** Stripe finds a session only by its id: if nobody knows whether it was opened, it is opened again. */
function pathOf({ provider_id }: Attempt): string {
  if (provider_id === null) throw new ProviderError('permanent', 'no_id');
  return `checkout/sessions/${encodeURIComponent(provider_id)}`;
}

const expanded = 'expand[]=payment_intent&expand[]=payment_intent.latest_charge';

async function paymentOf(api: StripeApi, attempt: Attempt, http: Outbound): Promise<Payment> {
  const session = read(await api.get(http, `${pathOf(attempt)}?${expanded}`), Session);
  const { amount_total: amount, currency, payment_intent: intent } = session;
  const state = stateOf(session);
  const payment_ref = intent?.id ?? null;
  if (state !== 'paid' || !intent) {
    return { state, paid: null, payment_ref, refunded: 0, dispute: 'none' };
  }
  const { back, dispute } = await givenBack(api, intent, http);
  // A bank that converts currencies may take back more than was paid.
  const refunded = Math.min(back, amount);
  return { state, paid: { amount, currency }, payment_ref, refunded, dispute };
}

function stateOf({ status, payment_status, payment_intent }: SessionAnswer): Payment['state'] {
  if (status !== 'complete') return status;
  if (payment_status !== 'unpaid') return 'paid';
  const failed = ['requires_payment_method', 'canceled'].includes(payment_intent?.status ?? '');
  return failed ? 'failed' : 'pending';
}

async function givenBack(api: StripeApi, { id, latest_charge }: Intent, http: Outbound) {
  const isUntouched = latest_charge?.amount_refunded === 0 && !latest_charge.disputed;
  if (isUntouched) return { back: 0, dispute: 'none' as const };
  const [refunds, disputes] = await Promise.all([
    api.list(http, 'refunds', id, Refund),
    api.list(http, 'disputes', id, Dispute),
  ]);
  const given = refunds.filter((refund) => progressOf(refund).state !== 'failed');
  const lost = disputes.filter(({ status }) => status === 'lost');
  const back = [...given, ...lost].reduce((sum, { amount }) => sum + amount, 0);
  return { back, dispute: disputeOf(disputes.map(({ status }) => status)) };
}

/** Statuses of a dispute that is over and that the store won. */
const harmless = ['won', 'warning_closed', 'prevented'];

function disputeOf(statuses: readonly string[]): Payment['dispute'] {
  if (statuses.length === 0) return 'none';
  if (statuses.some((status) => status !== 'lost' && !harmless.includes(status))) return 'open';
  return statuses.includes('lost') ? 'lost' : 'won';
}

async function refundOf(
  api: StripeApi,
  paymentRef: string,
  key: string,
  http: Outbound,
): Promise<Refund | undefined> {
  const refunds = await api.list(http, 'refunds', paymentRef, Refund);
  return refunds.find(({ metadata }) => metadata?.['refund_key'] === key);
}

const refundStates = {
  pending: 'sent',
  requires_action: 'sent',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
} as const;

const progressOf = ({ id, status }: Refund): RefundProgress => ({
  state: refundStates[status],
  provider_ref: id,
});
