import * as z from 'zod';
import { encodeHex } from '../../../lib/bytes.ts';
import { textUpTo } from '../../../lib/schemas.ts';
import type { NewPayment, ProviderEvent, RedirectGateway } from './gateway.ts';

/** Longest the provider may take to answer, in milliseconds. */
const timeout = 8000;

/** Seconds a signed event may be old. */
const tolerance = 300;

/** A name the provider gave something: kept by us, so it has to be one that a database can hold. */
const ProviderId = textUpTo(255).min(1);

const CheckoutSession = z.object({
  id: ProviderId,
  // Buyers are sent there: no script, and nothing that others can read on its way.
  url: z.url({ protocol: /^https$/ }).max(5000),
  expires_at: z.int(),
});

const Event = z.object({
  id: ProviderId,
  type: z.string(),
  data: z.object({
    object: z.object({
      id: ProviderId,
      amount_total: z.int().nullish(),
      currency: z.string().nullish(),
      payment_status: z.string().optional(),
    }),
  }),
});

/** Currencies whose amounts have no decimals there. */
const wholeUnits = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');

/** Those of three decimals, whose last has to be 0, and those of none whose amounts still have two. */
const special = 'BHD JOD KWD OMR TND ISK UGX'.split(' ');

/** The decimals of the unit that amounts of a currency are in, as the provider documents them. */
function exponentOf(currency: string): number | undefined {
  if (special.includes(currency)) return undefined;
  return wholeUnits.includes(currency) ? 0 : 2;
}

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly apiUrl: string;
}

/** Payments through Checkout pages of Stripe, or of a provider with the same API. */
export const stripe = ({ secretKey, webhookSecret, apiUrl }: StripeSettings): RedirectGateway => ({
  id: 'stripe',
  title: 'Card and more',
  exponentOf,

  async create(payment, outbound) {
    const response = await outbound(`${apiUrl}/v1/checkout/sessions`, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': payment.idempotencyKey,
      },
      body: new URLSearchParams(checkoutFields(payment)).toString(),
    });
    if (!response.ok) throw new Error(`The provider answered ${response.status}.`);
    const { id, url, expires_at } = CheckoutSession.parse(await response.json());
    return { id, url, expires_at: new Date(expires_at * 1000).toISOString() };
  },

  async readEvent(text, header, now) {
    if (!(await isSigned(text, header('stripe-signature') ?? '', webhookSecret, now))) return null;
    const event = Event.safeParse(JSON.parse(text));
    return event.success ? eventOf(event.data) : undefined;
  },
});

const checkoutFields = ({ order_id, title, amount, currency, returnUrl }: NewPayment) => ({
  mode: 'payment',
  client_reference_id: String(order_id),
  'metadata[order_id]': String(order_id),
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': currency.toLowerCase(),
  'line_items[0][price_data][unit_amount]': String(amount),
  'line_items[0][price_data][product_data][name]': title,
  success_url: returnUrl,
  cancel_url: returnUrl,
});

const outcomes = new Map<string, ProviderEvent['outcome']>([
  ['checkout.session.async_payment_succeeded', 'paid'],
  ['checkout.session.async_payment_failed', 'failed'],
  ['checkout.session.expired', 'expired'],
]);

function eventOf({ id, type, data }: z.output<typeof Event>): ProviderEvent | undefined {
  const { id: session_id, amount_total, currency, payment_status } = data.object;
  const completed = type === 'checkout.session.completed' && payment_status === 'paid';
  const outcome = completed ? 'paid' : outcomes.get(type);
  if (!outcome) return undefined;
  return {
    id,
    session_id,
    outcome,
    amount: amount_total ?? 0,
    currency: (currency ?? '').toUpperCase(),
  };
}

/** Whether a header `t=…,v1=…` signs the text with the secret, and not too long ago. */
async function isSigned(text: string, header: string, secret: string, now: Date): Promise<boolean> {
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const given = parts.filter(([name]) => name === 'v1').map(([, value]) => value);
  if (!/^\d{1,12}$/.test(time) || Math.abs(now.getTime() / 1000 - Number(time)) > tolerance) {
    return false;
  }
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(`${time}.${text}`));
  const expected = encodeHex(new Uint8Array(digest));
  return given.some((signature) => signature !== undefined && sameText(signature, expected));
}

/** Compares in a time that doesn't tell where two texts of one length differ. */
function sameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
