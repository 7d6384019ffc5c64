import type { Config } from '../../config.ts';
import type { Outbound } from '../../kernel/events/outbound.ts';
import { cut } from '../../lib/text.ts';
import { ProviderError, ask, kindOf, parsed } from '../http.ts';
import { isSameSecret, sha512 } from '../signatures.ts';
import type {
  Attempt,
  Gateway,
  Hint,
  NewPayment,
  NewRefund,
  Opened,
  RefundProgress,
} from './gateway.ts';
import type { Callback } from '../callback.ts';
import {
  AskedRefund,
  Notification,
  SnapPage,
  SnapRefusal,
  isReversal,
  paymentOf,
  progressOf,
  untouched,
} from './midtrans-answers.ts';
import {
  type Account,
  accountOf,
  act,
  errorOf,
  findTransactions,
  headersOf,
} from './midtrans-api.ts';

/**
 * Opens payments on Midtrans's Snap pages.
 * @returns undefined if none of its variables are set
 * @throws Error if only some are set, or the key does not fit the mode
 */
export function midtrans(config: Config): Gateway | undefined {
  const account = accountOf(config);
  if (!account) return undefined;
  return {
    id: 'midtrans',
    title: 'Bank transfer, QRIS, e-wallet or card (Midtrans)',
    unitOf: (currency) => (currency === 'IDR' ? { exponent: 0, step: 1 } : undefined),
    // Each method has its own limits: the page shows the methods that accept the amount.
    limitsOf: () => ({}),
    life: { min: 300, max: 604_800 },
    needs: [],
    replays: false,

    open: (payment, http) => open(account, payment, http),
    async look(attempt, http, now) {
      const found = await findTransactions(account, attempt, http);
      const [first] = found;
      if (!first) return untouched(attempt, now);
      const payment = paymentOf(first.transaction, first.ownId, attempt, now);
      // The buyer may try again once the bank has taken a payment back.
      const isReversed = found.some(({ transaction }) => isReversal(transaction, attempt));
      return isReversed && payment.state !== 'paid' ? { ...payment, reversed: true } : payment;
    },
    read: (callback) => read(account, callback),
    cancel: (attempt, http) => cancel(account, attempt, http),
    refund: (attempt, refund, http) => refundOf(account, attempt, refund, http),
  };
}

/** `2026-01-31 19:00:00 +0700`, the only spelling that Snap accepts. */
const jakartaTime = (milliseconds: number) =>
  `${new Date(milliseconds + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')} +0700`;

async function open(account: Account, payment: NewPayment, http: Outbound): Promise<Opened> {
  const start = Math.floor(Date.parse(payment.opened_at) / 1000) * 1000;
  const minutes = Math.floor((Date.parse(payment.expires_at) - start) / 60_000);
  const { status, json } = await ask(http, {
    method: 'POST',
    url: `${account.app}/snap/v1/transactions`,
    headers: { ...headersOf(account), 'x-override-notification': payment.callback_url },
    body: JSON.stringify({
      ...contentOf(payment),
      expiry: { start_time: jakartaTime(start), unit: 'minutes', duration: minutes },
    }),
  });
  if (status >= 300) throw new ProviderError(kindOf(status), refusedField(json) ?? String(status));
  const page = SnapPage(account.app).safeParse(json);
  if (!page.success) throw new ProviderError('unknown', 'answer');
  return {
    provider_id: page.data.token,
    url: page.data.redirect_url,
    expires_at: new Date(start + minutes * 60_000).toISOString(),
  };
}

function contentOf({ reference, order, amount, buyer, return_url }: NewPayment) {
  // Alfamart's tills do not accept a vertical line.
  const name = order.title.replaceAll('|', '/') || order.number;
  return {
    transaction_details: { order_id: reference, gross_amount: amount },
    item_details: [{ id: String(order.id), name: cut(name, 50), price: amount, quantity: 1 }],
    customer_details: {
      // BCA shows no more, and refuses longer ones.
      first_name: cut(buyer.name, 30) || undefined,
      email: buyer.email ?? undefined,
      // BNI refuses numbers outside Indonesia.
      phone: /^\+62\d{5,13}$/.test(buyer.phone) ? buyer.phone : undefined,
    },
    credit_card: { secure: true },
    callbacks: { finish: return_url },
    // Wallets do not return to the page, and request the address again.
    gopay: { enable_callback: true, callback_url: return_url },
    shopeepay: { callback_url: return_url },
    dana: { callback_url: return_url },
  };
}

/** The field that Snap refused, from its message, without the buyer's input. */
function refusedField(json: unknown): string | undefined {
  const refusal = SnapRefusal.safeParse(json);
  return refusal.data?.error_messages[0]?.match(/^[a-z_]+\.[a-z_]+\b/)?.[0];
}

/** Returns only the payment of a notification, because its status isn't signed. */
async function read({ serverKey }: Account, { text }: Callback): Promise<'forged' | Hint[]> {
  const notification = Notification.safeParse(parsed(text));
  if (!notification.success) return 'forged';
  const { order_id, status_code, gross_amount, signature_key, transaction_id } = notification.data;
  // The dashboard's test: its signature is undocumented, and it concerns no payment.
  if (order_id.startsWith('payment_notif_test_')) return [];
  const expected = await sha512(order_id + status_code + gross_amount + serverKey);
  if (!isSameSecret(signature_key, expected)) return 'forged';
  return [{ reference: order_id, payment_ref: transaction_id, says_paid: status_code === '200' }];
}

/** Statuses of requests without effect; any other says that the page is closed or in use. */
const isUnanswered = (code: number) => code === 401 || code === 403 || code === 429 || code >= 500;

async function cancel(account: Account, attempt: Attempt, http: Outbound): Promise<void> {
  if (attempt.provider_id !== null) {
    const { status } = await ask(http, {
      method: 'POST',
      url: `${account.app}/snap/v1/transactions/${encodeURIComponent(attempt.provider_id)}/cancel`,
      headers: headersOf(account),
    });
    if (isUnanswered(status)) throw errorOf(status);
    if (status < 300) return;
  }
  const [found] = await findTransactions(account, attempt, http);
  if (found?.transaction.transaction_status !== 'pending') return;
  // Unlike `cancel`, this never refunds a card payment that was made meanwhile.
  const { code } = await act(account, found, { action: 'expire' }, http);
  if (isUnanswered(code)) throw errorOf(code);
}

async function refundOf(
  account: Account,
  attempt: Attempt,
  { key, amount, reason }: NewRefund,
  http: Outbound,
): Promise<RefundProgress> {
  // The page may have been paid again since the refund was requested.
  const found = (await findTransactions(account, attempt, http)).find(
    ({ transaction }) => transaction.transaction_id === attempt.payment_ref,
  );
  if (!found) throw errorOf(404);
  const known = progressOf(found.transaction, key);
  if (known) return known;
  // A card payment can be refunded once it is settled, a day later.
  if (found.transaction.transaction_status === 'capture') {
    throw new ProviderError('temporary', 'capture');
  }
  const body = { refund_key: key, amount, reason: cut(reason ?? '', 255) || undefined };
  const { code, json } = await act(account, found, { action: 'refund', body }, http);
  const provider_ref = AskedRefund.safeParse(json).data?.refund_chargeback_id ?? null;
  switch (code) {
    case 200:
    case 406: // The key is taken by the same refund.
      return { state: 'sent', provider_ref };
    case 202:
      return { state: 'failed', provider_ref };
    default:
      throw errorOf(code);
  }
}
