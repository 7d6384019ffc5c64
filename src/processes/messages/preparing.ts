import type { Results } from '../../kernel/database/statements.ts';
import type { Config } from '../../config.ts';
import { completed } from '../../lib/documents.ts';
import { withoutNulls } from '../../lib/objects.ts';
import { addSeconds } from '../../lib/instant.ts';
import { linkLifetime } from '../../domain/console/rules.ts';
import { dialledNumber } from '../../lib/phone.ts';
import { composed } from '../../domain/message/content.ts';
import { pageAt, siteOf } from '../../domain/affiliate/links.ts';
import {
  type Facts,
  type OrderFacts,
  type PaymentFacts,
  nothingListed,
  storeOf,
} from '../../domain/message/facts.ts';
import { isSignInKind, isTemplateKind, isTransactional } from '../../domain/message/kinds.ts';
import { marks, signInTexts } from '../../domain/message/texts/sign-in.ts';
import { textIn } from '../../domain/message/template-rules.ts';
import { isUnpaid, statusGroup } from '../../domain/order/transitions.ts';
import type { OrderRow } from '../../domain/order/rules.ts';
import { amountDue, gatewayOf } from '../../domain/payment/rules.ts';
import { currentSession } from '../../domain/payment/sessions.ts';
import { awaitsPayment } from '../../domain/reminder/rules.ts';
import { renewableUntil } from '../../domain/subscription/offer.ts';
import { type RenewalOrder, renewTotal } from '../../domain/subscription/rules.ts';
import { partShapes } from '../../schema/product-parts.ts';
import type { MessageContent } from '../../schema/message-content.ts';
import { accountPage, generationOf, hiddenLink } from '../../actions/shop/secrets.ts';
import { gatewaysOf } from '../../providers/payments/index.ts';
import type { loadFacts } from '../../queries/message-facts.ts';
import type { Language, MessageKind, MessageMedium } from '../../schema/lists.ts';
import type { MessageRow, TemplateText } from '../../schema/messages.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { isToPayer } from './handing-over.ts';

type Loaded = Results<ReturnType<typeof loadFacts>>;

interface FillingContext {
  readonly config: Config;
  /** The base address of the API. */
  readonly api: string;
  readonly now: Date;
}

export interface PreparedMessage {
  readonly recipient: string;
  readonly content: MessageContent;
}

interface Unsent {
  readonly ends: Pick<MessageRow, 'status' | 'last_error'>;
}

/** Returns earlier content unchanged. */
export function prepare(
  row: MessageRow,
  found: Loaded,
  services: FillingContext,
): PreparedMessage | Unsent {
  const loaded = row.medium === 'email' ? found : asTyped(row, found);
  const [settings] = loaded.settings;
  if (!settings || isPointless(row, loaded, settings, services.now)) {
    return { ends: { status: 'cancelled', last_error: null } };
  }
  // A message that may have arrived is repeated to the same address.
  const isFixed = row.recipient_named || row.attempts > 0;
  const address = isFixed ? row.recipient : ownAddress(row, loaded, settings);
  const recipient = reachable(address, row.medium, settings);
  if (recipient === undefined) {
    const last_error = address === '' ? 'no_recipient' : 'invalid_number';
    return { ends: { status: 'failed', last_error } };
  }
  return { recipient, content: row.content ?? filled(row, loaded, settings, services) };
}

/**
 * Shows the buyer of an unpaid order as typed, if they typed a phone number. Whoever gets the message there learns
 * nothing of an account.
 */
function asTyped({ user_id }: MessageRow, loaded: Loaded): Loaded {
  const { form, order, user } = loaded;
  const [[typed], [placed], [buyer]] = [form, order, user];
  if (!typed?.phone || !buyer || placed?.order.user_id !== user_id || placed.order.paid_at !== null)
    return loaded;
  const { name: display_name, phone } = typed;
  return {
    ...loaded,
    order: [{ ...placed, user: { ...placed.user, display_name } }],
    user: [{ ...buyer, display_name, phone, language: null }],
  };
}

function filled(
  row: MessageRow,
  loaded: Loaded,
  settings: SettingsRow,
  services: FillingContext,
): MessageContent {
  const language = languageOf(loaded, settings);
  const url = `${services.api}/unsubscribe/${row.key}`;
  return composed({
    template: textOf(row.kind, row.medium, language, loaded),
    facts: factsOf(loaded, settings, services, isToPayer(row) ? linkOf(loaded, services) : null),
    medium: row.medium,
    language,
    layout: settings.mail_layout || null,
    unsubscribe_url: isTransactional(row.kind) || row.medium === 'sms' ? null : url,
  });
}

/** Not sent once the order is cancelled or refunded. */
const ofOpenOrders: ReadonlySet<MessageKind> = new Set([
  'payment-received',
  'order-in-progress',
  'order-shipped',
  'order-completed',
]);

/** Not sent if the subscription has nothing to pay. */
const ofNextPayment: ReadonlySet<MessageKind> = new Set(['subscription-ending', 'payment-overdue']);

/**
 * Tells if a queued message became pointless: its order is gone or no longer waits, its subscription was renewed or
 * can't be, nothing of its commission is earned, the bank has returned the money of its refund, or its link has expired.
 */
function isPointless(
  { kind, order_id, created_at }: MessageRow,
  loaded: Loaded,
  settings: SettingsRow,
  now: Date,
): boolean {
  const {
    order: [found],
    record,
  } = loaded;
  const { webhook, refund, commission, reminder, subscription, summary, alert } =
    record.rows[0] ?? {};
  if (Object.hasOwn(marks, kind)) return addSeconds(created_at, linkLifetime) <= now.toISOString();
  if (kind === 'seller-summary') return !summary;
  if (kind === 'store-alert') return !alert;
  if (kind === 'webhook-paused')
    return !webhook || webhook.reason === null || webhook.reason === 'manual';
  if (order_id !== null && !found) return true;
  if (subscription?.outdated || reminder?.outdated || commission?.outdated) return true;
  if (refund?.taken_back) return true;
  if (ofNextPayment.has(kind) || reminder?.end) {
    if (nextPayment(loaded, settings, now) === undefined) return true;
  }
  if (!found) return false;
  if (kind === 'order-placed') return amountDue(found.order) === 0;
  if (ofOpenOrders.has(kind)) return statusGroup(found.order.status) === 'closed';
  return reminder?.asks_payment === true && !awaitsPayment(found.order.status);
}

function ownAddress(
  { user_id, medium }: MessageRow,
  { user: [user] }: Loaded,
  { notification_email, notification_phone }: SettingsRow,
): string {
  const email = user_id === null ? notification_email : (user?.email ?? '');
  const phone = user_id === null ? notification_phone : (user?.phone ?? '');
  return medium === 'email' ? email : phone;
}

/** Converts an address into the form that senders expect: a phone in E.164. Undefined for an invalid address. */
function reachable(
  address: string,
  medium: MessageMedium,
  { country }: SettingsRow,
): string | undefined {
  if (medium === 'email') return address === '' ? undefined : address.toLowerCase();
  return dialledNumber(address, country) || undefined;
}

/** The reader's language, otherwise the store's. */
export const languageOf = ({ user: [user] }: Loaded, { language }: SettingsRow): Language =>
  user?.language ?? language;

/** The reminder's own text, the store's in the language, or the service's. */
function textOf(
  kind: MessageKind,
  medium: MessageMedium,
  language: Language,
  { templates: [template], record }: Loaded,
): TemplateText {
  const { reminder } = record.rows[0] ?? {};
  if (reminder) return { subject: reminder.title, text: reminder.content, approved: null };
  if (isSignInKind(kind)) return { ...signInTexts[language][kind], approved: null };
  if (!isTemplateKind(kind) || medium === 'sms') {
    return { subject: '', text: '', approved: null };
  }
  return textIn({ kind, medium }, template, language);
}

/** The buyer's link to the order, without its proof. */
export const linkOf = (
  { order: [found], form: [form], user: [buyer] }: Loaded,
  { config }: Pick<FillingContext, 'config'>,
): string | null => (found ? hiddenLink(found.order.id, generationOf(form, buyer), config) : null);

export function factsOf(
  loaded: Loaded,
  settings: SettingsRow,
  services: Pick<FillingContext, 'config' | 'now'>,
  page: string | null,
): Facts {
  const { user, order, record } = loaded;
  const { reminder, subscription, access, licenses, summary, sign_in, ...records } =
    record.rows[0] ?? {};
  const end = subscription?.end ?? reminder?.end;
  const renewal = nextPayment(loaded, settings, services.now);
  const linkTo = (link: string) => pageAt(link, siteOf(settings)) ?? '';
  const [found] = order;
  return {
    store: storeOf(settings),
    name: user[0]?.display_name ?? '',
    ...withoutNulls(records),
    ...(sign_in && { sign_in: { ...sign_in, at: new Date(sign_in.at).toISOString() } }),
    ...(summary && {
      summary: { console: `${services.config.BASE_URL}/console`, counts: summary },
    }),
    ...(found && {
      order: {
        number: found.order.number,
        status: found.order.status,
        product: found.product.title,
        quantity: found.order.quantity,
        total: found.order.grand_total,
        placed: found.order.created_at,
        buyer: { name: found.user.display_name, email: found.user.email ?? '' },
        payment: paymentOf(found, loaded, settings, services, page),
        shipping: parcelOf(found, linkTo),
        access: access ? pagesOf(access, linkTo) : nothingListed,
        licenses: licenses ?? nothingListed,
        account: accountPage(services.config),
      },
    }),
    ...((subscription ?? end) && {
      subscription: {
        product: subscription?.product ?? found?.product.title ?? '',
        ...(end && { end: new Date(end).toISOString() }),
        ...(renewal !== undefined && { renewal }),
      },
    }),
  };
}

/** The total of a subscription's next payment; undefined if nothing is to be paid, or it is too late. */
function nextPayment({ record }: Loaded, { timezone }: SettingsRow, now: Date): number | undefined {
  const { subscription, reminder } = record.rows[0] ?? {};
  const renewal = subscription?.renewal ?? reminder?.renewal;
  if (!renewal) return undefined;
  if ('due' in renewal) return renewal.due;
  // The facts contain the product's parts as they are stored.
  const product = completed(renewal.product, partShapes) as RenewalOrder['product'];
  const { end_date } = renewal.subscription;
  const until = end_date && renewableUntil(product, new Date(end_date).toISOString(), timezone);
  return until && until < now.toISOString() ? undefined : renewTotal({ ...renewal, product });
}

const pagesOf = ({ shown, left }: OrderFacts['access'], linkTo: (link: string) => string) => ({
  shown: shown.map(({ title, url }) => ({ title, url: linkTo(url) })),
  left,
});

/** @param linkTo returns an empty text if the store has no site */
function parcelOf({ order: { shipping } }: OrderRow, linkTo: (link: string) => string) {
  if (!shipping || shipping.tracking_url === '') return shipping;
  return { ...shipping, tracking_url: linkTo(shipping.tracking_url) };
}

/** Null if nothing is due. */
function paymentOf(
  { order }: OrderRow,
  { sessions }: Loaded,
  settings: SettingsRow,
  { config, now }: Pick<FillingContext, 'config' | 'now'>,
  page: string | null,
): PaymentFacts | null {
  const gateway = gatewayOf(order, settings, gatewaysOf(config));
  const due = amountDue(order);
  if (due === 0 || !gateway || gateway.type === 'free') return null;
  const session = currentSession(sessions, order, now);
  return {
    type: gateway.type,
    title: gateway.title,
    due,
    before: isUnpaid(order.status) ? order.expires_at : null,
    accounts: gateway.options,
    exact: order.unique_code !== 0,
    url: session?.url ?? null,
    isPending: session?.status === 'pending',
    page,
  };
}
