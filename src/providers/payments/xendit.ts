import * as z from 'zod';
import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { decimalText } from '../../lib/money.ts';
import { cut } from '../../lib/text.ts';
import { ProviderId, understood, understoodAmount } from '../answers.ts';
import { ProviderError, parsed } from '../http.ts';
import { PageAddress } from '../pages.ts';
import { isSameSecret } from '../signatures.ts';
import type { Gateway, Hint, NewPayment, Payment, RefundProgress } from './gateway.ts';
import { unopened, unpaid } from './unpaid.ts';
import { type Api, apiOf, pathOf } from './xendit/api.ts';
import { type Dispute, OpenedSession, PaidPayment, Refund, Session } from './xendit/answers.ts';

/**
 * Takes payments through Xendit Payment Sessions (docs.xendit.co/apidocs/create-session). The session's status says if
 * the buyer is finished with its page. The payment it then names (GET /v3/payments/{id}) says if money moved, and how
 * much. Refunds are listed by GET /refunds for the payment request, and disputes by GET /v1/disputes for the payment.
 */
export function xendit(config: Config): Gateway | undefined {
  const { XENDIT_SECRET_KEY: key, XENDIT_CALLBACK_TOKEN: token } = config;
  const { XENDIT_MODE: mode, XENDIT_API_URL: url } = config;
  if ([key, token, mode, url].every((value) => value === undefined)) return undefined;
  if (key === undefined || token === undefined) {
    throw new Error(
      'Xendit needs XENDIT_SECRET_KEY and XENDIT_CALLBACK_TOKEN. Set both, or remove all variables that start with XENDIT_.',
    );
  }
  const meant = modeOf(key);
  if (mode !== undefined && mode !== meant) {
    throw new Error(
      `XENDIT_SECRET_KEY is a key for ${meant}, XENDIT_MODE says ${mode}: set the key of that mode, or remove XENDIT_MODE.`,
    );
  }
  return gateway(key, token, url ?? 'https://api.xendit.co');
}

function modeOf(key: string): 'sandbox' | 'production' {
  if (key.startsWith('xnd_development_')) return 'sandbox';
  if (key.startsWith('xnd_production_')) return 'production';
  throw new Error(
    'XENDIT_SECRET_KEY is not a secret key of Xendit: those start with xnd_development_ or xnd_production_.',
  );
}

/** The currencies of sessions. A session has a country; USD, which belongs to none of them, is left out. */
const currencies = new Map([
  ['IDR', { country: 'ID', exponent: 0 }],
  ['PHP', { country: 'PH', exponent: 2 }],
  ['VND', { country: 'VN', exponent: 0 }],
  ['THB', { country: 'TH', exponent: 2 }],
  ['SGD', { country: 'SG', exponent: 2 }],
  ['MYR', { country: 'MY', exponent: 2 }],
]);

const exponentOf = (currency: string) => currencies.get(currency)?.exponent ?? 2;

/** Amounts are JSON numbers in the main unit; parsed from text they are exact. */
const numberOf = (amount: number, currency: string) =>
  Number(decimalText(amount, exponentOf(currency)));

function gateway(key: string, token: string, origin: string): Gateway {
  const api = apiOf(key, origin);
  const Opened = OpenedSession(PageAddress(origin));
  return {
    id: 'xendit',
    title: 'Bank transfer, e-wallet or card',
    unitOf: (currency) =>
      currencies.has(currency) ? { exponent: exponentOf(currency), step: 1 } : undefined,
    // Each channel has its own limits, and is hidden if the amount exceeds them.
    limitsOf: () => ({}),
    // At least 10 minutes from the time at which Xendit reads it; Xendit sets the maximum.
    life: { min: 900, max: 86_400 },
    needs: [],
    replays: false,

    async open(payment, http) {
      const json = await api.post(http, '/sessions', sessionOf(payment));
      const { payment_session_id, payment_link_url, expires_at } = understood(Opened, json);
      return { provider_id: payment_session_id, url: payment_link_url, expires_at };
    },

    async look(attempt, http, now) {
      if (attempt.provider_id === null) return unopened(attempt, now);
      const json = await api.get(http, pathOf('sessions', attempt.provider_id));
      return paymentOf(understood(Session, json), api, http);
    },

    async read(callback, http) {
      const isTheirs = isSameSecret(callback.header('x-callback-token') ?? '', token);
      return isTheirs ? hintsOf(callback.text, api, http) : 'forged';
    },

    async cancel({ provider_id }, http) {
      if (provider_id === null) return;
      try {
        await api.post(http, `${pathOf('sessions', provider_id)}/cancel`);
      } catch (error) {
        // The session was completed, expired or cancelled before.
        const isOver = error instanceof ProviderError && error.code === 'INVALID_SESSION_STATUS';
        if (!isOver) throw error;
      }
    },

    async refund({ payment_ref, currency }, { key, amount, reason }, http) {
      if (payment_ref === null) throw new ProviderError('permanent', 'not_paid');
      const known = (await api.refunds(http, payment_ref)).find(
        ({ reference_id }) => reference_id === key,
      );
      if (known) return progressOf(known);
      const body = {
        reference_id: key,
        payment_request_id: payment_ref,
        currency,
        amount: numberOf(amount, currency),
        reason: 'REQUESTED_BY_CUSTOMER',
        ...(reason !== null && { metadata: { reason: cut(reason, 80) } }),
      };
      // The key, which Xendit's SDKs send too, keeps two parallel requests from refunding twice: neither sees the
      // other's refund in the list yet.
      return progressOf(
        understood(Refund, await api.post(http, '/refunds', body, { 'idempotency-key': key })),
      );
    },
  };
}

function sessionOf(payment: NewPayment) {
  const { reference, order, amount, currency, expires_at, return_url } = payment;
  return {
    reference_id: reference,
    session_type: 'PAY',
    mode: 'PAYMENT_LINK',
    amount: numberOf(amount, currency),
    currency,
    country: currencies.get(currency)?.country,
    customer: customerOf(payment),
    description: cut(order.title || order.number, 1000),
    expires_at,
    // Xendit accepts only https addresses here, so a shop on a developer's machine leaves them out.
    ...(return_url.startsWith('https://') && {
      success_return_url: return_url,
      cancel_return_url: return_url,
    }),
  };
}

/** The buyer, in the fields and characters that Xendit accepts: letters and digits, short addresses, E.164. */
function customerOf({ reference, buyer: { name, email, phone } }: NewPayment) {
  const plain = name.normalize('NFKD').replaceAll(/[^A-Za-z0-9 ]/g, '');
  return {
    type: 'INDIVIDUAL',
    reference_id: reference.replaceAll('-', ''),
    individual_detail: { given_names: plain.slice(0, 50).trim() || 'Customer' },
    ...(email !== null && email.length <= 50 && { email }),
    ...(/^\+[1-9]\d{6,14}$/.test(phone) && { mobile_number: phone }),
  };
}

type SessionAnswer = z.output<typeof Session>;
type PaymentAnswer = z.output<typeof PaidPayment>;

/** The state of a session without a successful payment. */
const ended = {
  ACTIVE: 'open',
  COMPLETED: 'failed',
  EXPIRED: 'expired',
  CANCELED: 'cancelled',
} as const;

/** @param payment undefined if none is named or found: then completed means paid */
function stateOf({ status }: SessionAnswer, payment: PaymentAnswer | undefined): Payment['state'] {
  if (!payment) return status === 'COMPLETED' ? 'paid' : ended[status];
  if (payment.status === 'SUCCEEDED') return 'paid';
  const isUnderWay = payment.status === 'PENDING' || payment.status === 'AUTHORIZED';
  return isUnderWay ? 'pending' : ended[status];
}

async function paymentOf(session: SessionAnswer, api: Api, http: Outbound): Promise<Payment> {
  const { payment_id } = session;
  const json = payment_id ? await api.find(http, pathOf('v3/payments', payment_id)) : undefined;
  const payment = json === undefined ? undefined : understood(PaidPayment, json);
  const state = stateOf(session, payment);
  if (state !== 'paid') return unpaid(state);
  const payment_ref = payment?.payment_request_id ?? session.payment_request_id ?? null;
  const [refunds, disputes] = await Promise.all([
    payment_ref ? api.refunds(http, payment_ref) : [],
    payment_id ? api.disputes(http, payment_id) : [],
  ]);
  const { currency } = payment ?? session;
  const amount = sum(received(session, payment), currency);
  const returned = [
    ...refunds.filter((refund) => progressOf(refund).state !== 'failed').map((each) => each.amount),
    ...disputes.flatMap(({ status, amount }) =>
      status === 'LOST' ? [amount.terminal ?? amount.initial] : [],
    ),
  ];
  return {
    state,
    paid: { amount, currency },
    payment_ref,
    // A lost dispute may concern refunded money.
    refunded: Math.min(amount, sum(returned, currency)),
    dispute: disputeOf(disputes),
  };
}

/** The received amounts: the captured ones, which may be less than the total. */
function received(session: SessionAnswer, payment: PaymentAnswer | undefined): readonly number[] {
  if (!payment) return [session.amount];
  const captures = (payment.captures ?? []).map(({ capture_amount }) => capture_amount);
  return captures.length > 0 ? captures : [payment.request_amount];
}

const sum = (amounts: readonly (number | string)[], currency: string) =>
  amounts
    .map((amount) => understoodAmount(String(amount), exponentOf(currency)))
    .reduce((total, units) => total + units, 0);

function disputeOf(disputes: readonly Dispute[]): Payment['dispute'] {
  if (disputes.length === 0) return 'none';
  if (disputes.some(({ status }) => status !== 'WON' && status !== 'LOST')) return 'open';
  return disputes.some(({ status }) => status === 'LOST') ? 'lost' : 'won';
}

const progress = {
  PENDING: 'sent',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
} as const;

const progressOf = ({ id, status }: z.output<typeof Refund>): RefundProgress => ({
  state: progress[status],
  provider_ref: id,
});

/** The ids in a notification: those in `data`, beside a dispute's, and within a refund's. */
const Names = z.object({
  reference_id: ProviderId.nullish().catch(undefined),
  payment_session_id: ProviderId.nullish().catch(undefined),
  payment_request_id: ProviderId.nullish().catch(undefined),
  payment_id: ProviderId.nullish().catch(undefined),
});
const Data = Names.extend({ data: Names.optional().catch(undefined) });
const Notification = Names.extend({ data: Data.optional().catch(undefined) });

/** Names the payments of a notification. Its token is the same for all, so nothing else in it is trusted. */
async function hintsOf(text: string, api: Api, http: Outbound): Promise<readonly Hint[]> {
  const { data: notification } = Notification.safeParse(parsed(text));
  if (!notification) return [];
  const { reference_id, payment_session_id, payment_request_id, payment_id } =
    notification.data?.data ?? notification.data ?? notification;
  const ref = payment_request_id ?? (payment_id && (await requestOf(payment_id, api, http)));
  return [
    ...(payment_session_id ? [{ provider_id: payment_session_id }] : []),
    ...(ref ? [{ payment_ref: ref }] : []),
    ...(reference_id ? [{ reference: reference_id }] : []),
  ];
}

/** Finds the payment request of a payment that a dispute names. */
async function requestOf(payment_id: string, api: Api, http: Outbound) {
  const json = await api.find(http, pathOf('v3/payments', payment_id));
  return json === undefined ? undefined : understood(PaidPayment, json).payment_request_id;
}
