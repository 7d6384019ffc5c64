import { addSeconds } from '../../lib/instant.ts';
import { dialledNumber } from '../../lib/phone.ts';
import type { Attempt, Gateway, NewPayment, Opened } from '../../providers/payments/gateway.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { type SessionRow, openSessionStatuses } from '../../schema/payments.ts';
import type { Person } from '../user/rules.ts';
import { providerAmount } from './amounts.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

/** Seconds for which a page stays open at most. */
const longest = 86_400;

/** Seconds between two look-ups of an open payment. */
const often = 120;
/** Seconds between two look-ups of a slow payment: a bank debit, or a page that should be closed by now. */
const seldom = 3600;

/** Seconds of look-ups after the page has closed. */
const patience = 7 * 86_400;
/** Seconds of look-ups while the provider reports the payment as pending: a bank debit can take weeks. */
const pendingPatience = 30 * 86_400;

const isOpen = ({ status }: Pick<SessionRow, 'status'>) =>
  (openSessionStatuses as readonly string[]).includes(status);

/** Tells if the bank has taken back a payment that the provider had reported as made. Its page may be open again. */
export const isReversed = ({ paid_amount }: Pick<SessionRow, 'paid_amount'>): boolean =>
  paid_amount === 0;

/** A payment's name at its provider: it starts with the order and is unique everywhere. */
export const newReference = (order_id: number, uuid: string) =>
  `${order_id}-${uuid.replaceAll('-', '')}`;

/** A payment of the current total, before its provider opens it. */
export function newSession(
  { id: order_id, grand_total, currency, expires_at }: OrderColumns,
  gateway: Gateway,
  drawn: { readonly id: number; readonly uuid: string },
  now: Date,
): SessionRow {
  const at = now.toISOString();
  const latest = addSeconds(at, Math.min(longest, gateway.life.max));
  const wanted = expires_at !== null && expires_at < latest ? expires_at : latest;
  const soonest = addSeconds(at, gateway.life.min);
  return {
    id: drawn.id,
    order_id,
    gateway: gateway.id,
    reference: newReference(order_id, drawn.uuid),
    provider_id: null,
    payment_ref: null,
    named_ref: null,
    amount: grand_total,
    currency,
    url: null,
    status: 'opening',
    paid_amount: null,
    paid_currency: null,
    booked_at: null,
    refundable: 'refund' in gateway,
    dispute: 'none',
    superseded_at: null,
    expires_at: wanted < soonest ? soonest : wanted,
    checked_at: null,
    check_at: addSeconds(at, often),
    ...firstVersion(at),
  };
}

/** The payment of the current total that the order waits for. */
export const currentSession = (
  sessions: readonly SessionRow[],
  { payment_gateway, grand_total }: OrderColumns,
  now: Date,
): SessionRow | undefined =>
  sessions.find(
    (session) =>
      isOpen(session) &&
      session.superseded_at === null &&
      session.gateway === payment_gateway &&
      session.amount === grand_total &&
      (session.status === 'pending' || session.expires_at > now.toISOString()),
  );

/** The page, if the buyer can be sent there. */
export const openPage = (
  sessions: readonly SessionRow[],
  order: OrderColumns,
  now: Date,
): string | null => currentSession(sessions, order, now)?.url ?? null;

export const openedSession = (before: SessionRow, opened: Opened, now: Date): SessionRow => ({
  ...changed(before, now),
  ...opened,
  status: 'created',
  check_at:
    before.superseded_at === null ? addSeconds(now.toISOString(), often) : now.toISOString(),
});

export const failedSession = (before: SessionRow, now: Date): SessionRow => ({
  ...changed(before, now),
  status: 'failed',
  check_at: null,
});

/**
 * The payment after a look-up that its provider didn't answer; undefined if it is asked about again soon. A paid one may
 * have been refunded at the provider, and is asked about for a month after its last news; any other for a day.
 */
export function unansweredSession(before: SessionRow, now: Date): SessionRow | undefined {
  const at = now.toISOString();
  const isWithin = (seconds: number) => addSeconds(before.updated_at, seconds) >= at;
  const isHeld = before.status === 'paid' && !isReversed(before);
  if (!isHeld && !isGivenUp(before, now)) return undefined;
  if (before.status === 'paid') {
    const isDue = isWithin(isHeld ? pendingPatience : longest);
    return { ...before, check_at: isDue ? addSeconds(at, seldom) : null };
  }
  return isWithin(longest) ? undefined : failedSession(before, now);
}

/** Forgets the id that a callback named, once the provider was asked about it. */
export const withoutNamed = (session: SessionRow, asked: readonly string[]): SessionRow =>
  session.named_ref !== null && asked.includes(session.named_ref)
    ? { ...session, named_ref: null }
    : session;

export const changed = (before: SessionRow, now: Date): SessionRow => ({
  ...before,
  ...nextVersion(before, now),
});

/** The time of the next look-up of a payment; null if no money can come any more. */
export function nextCheck(
  session: Pick<SessionRow, 'status' | 'created_at' | 'expires_at' | 'paid_amount'>,
  now: Date,
): string | null {
  const isPayable = isOpen(session) || (isReversed(session) && !isGivenUp(session, now));
  if (!isPayable) return null;
  const at = now.toISOString();
  const isFresh = at < addSeconds(session.created_at, longest) || at < session.expires_at;
  return addSeconds(at, isFresh ? often : seldom);
}

/** Tells if a payment counts as over although its provider never said so. */
export const isGivenUp = (
  { status, expires_at }: Pick<SessionRow, 'status' | 'expires_at'>,
  now: Date,
): boolean =>
  addSeconds(expires_at, status === 'pending' ? pendingPatience : patience) < now.toISOString();

interface NewPaymentContext {
  readonly gateway: Gateway;
  readonly settings: SettingsRow;
  readonly api: string;
  /** The order's page in the shop; undefined if the store has none. */
  readonly page?: string | undefined;
}

/**
 * The request that opens a payment at its provider. Undefined if its amount is no whole number of the provider's units.
 */
export function newPayment(
  { reference, created_at, expires_at, amount, currency }: SessionRow,
  { order, title, buyer }: { order: OrderColumns; title: string; buyer: Person },
  { gateway, settings, api, page }: NewPaymentContext,
): NewPayment | undefined {
  const units = providerAmount(gateway, { ...settings, amount, currency });
  if (units === undefined) return undefined;
  return {
    reference,
    order: { id: order.id, number: order.number, title },
    amount: units,
    currency,
    buyer: {
      name: buyer.display_name,
      email: buyer.email,
      phone: dialledNumber(buyer.phone, settings.country),
    },
    opened_at: created_at,
    expires_at,
    return_url: returnUrl(page ?? (settings.site_url || new URL(api).origin), order, reference),
    callback_url: `${api}/payments/${gateway.id}/callback`,
  };
}

/** The page to which the buyer returns. Its query doesn't use `order_id`, which providers add themselves. */
function returnUrl(site: string, { id, number }: OrderColumns, reference: string): string {
  const url = new URL(site);
  url.searchParams.set('order', String(id));
  url.searchParams.set('order_number', number);
  url.searchParams.set('payment', reference);
  return url.href;
}

/** A session in the form that its provider's look-up takes. */
export const attemptOf = (
  { reference, provider_id, payment_ref, amount, currency, expires_at, superseded_at }: SessionRow,
  gateway: Gateway,
  { currency_exponent }: SettingsRow,
): Attempt => ({
  reference,
  provider_id,
  payment_ref,
  amount: providerAmount(gateway, { amount, currency, currency_exponent }) ?? 0,
  currency,
  expires_at,
  wanted: superseded_at === null,
});
