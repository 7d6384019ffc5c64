import type { Facts, FigureValues, Listed, OrderFacts, PaymentFacts } from './facts.ts';
import { oneLine } from '../../lib/text.ts';
import { noticeKinds, statusFigures, type NoticeKind } from '../../schema/lists.ts';
import type { Voice } from './voice.ts';

export function howToPay(
  payment: PaymentFacts,
  { number }: Pick<OrderFacts, 'number'>,
  { url }: Pick<Facts['store'], 'url'>,
  voice: Voice,
): string {
  const { words, money } = voice;
  const page = payment.page !== null && `${words.orderPage} ${payment.page}`;
  if (payment.type === 'cod') return lines(words.onDelivery(money(payment.due)), page);
  // A buyer who has begun to pay isn't asked to pay again.
  if (payment.isPending && page) return page;
  const how = payment.type === 'manual' ? transfer(payment, voice) : atPage(payment, url, voice);
  return lines(
    ...how,
    '',
    payment.type === 'manual' && payment.exact && words.exactly,
    payment.type === 'manual' && words.reference(number),
    payment.before !== null && words.payBefore(voice.moment(payment.before)),
    payment.type === 'manual' && page,
  ).trimEnd();
}

function transfer({ due, accounts }: PaymentFacts, { words, money, said }: Voice): string[] {
  const known = accounts.map(({ bank, account_number, owner, info }) => {
    const account = words.account(said(bank), oneLine(account_number), said(owner));
    return said(info) === '' ? `- ${account}` : `- ${account} (${said(info)})`;
  });
  return [words.transferTo(money(due), accounts.length), ...known];
}

/** The order's page; otherwise the provider's page or, before that is open, the store's page that leads to it. */
function atPage(
  { due, title, url, page }: PaymentFacts,
  site: string,
  { words, money, said }: Voice,
) {
  const address = oneLine(page ?? url ?? site);
  if (address === '') return [words.payWith(money(due), said(title))];
  return [`${words.payHere(money(due), said(title))} ${address}`];
}

export function tracking(
  { courier, tracking_number, tracking_url }: NonNullable<OrderFacts['shipping']>,
  { words, said }: Voice,
): string {
  const [name, number, url] = [said(courier), oneLine(tracking_number), oneLine(tracking_url)];
  return lines(
    name !== '' && words.courier(name),
    number !== '' && words.trackingNumber(number),
    url !== '' && words.trackingPage(url),
  );
}

/** The console's screens for each kind of notice. */
const screens: Readonly<Record<NoticeKind, string>> = {
  'new-order': 'orders',
  'new-confirmation': 'proofs',
  'unexpected-payment': '',
  'webhook-paused': 'webhooks',
};

/** Counts notices by kind, with links to the console. */
export const summary = (
  { console, counts }: NonNullable<Facts['summary']>,
  { words }: Voice,
): string =>
  lines(
    ...noticeKinds.map((kind) => {
      const count = counts[kind];
      return count !== undefined && `${words.notices[kind](count)}: ${console}/${screens[kind]}`;
    }),
  );

/** Units of status figures that messages show in another unit: hours, days, gigabytes. */
const units: FigureValues = {
  undelivered_event_age: 3600,
  backup_age: 86_400,
  database_size: 1_000_000_000,
};

export const troubles = (alert: FigureValues, { words }: Voice): string =>
  lines(
    ...statusFigures.map((figure) => {
      const value = alert[figure];
      return (
        value !== undefined && words.troubles[figure](Math.floor(value / (units[figure] ?? 1)))
      );
    }),
  );

export const access = ({ shown, left }: OrderFacts['access'], { words, said }: Voice): string => {
  const pages = shown.map(({ title, url }) =>
    url === '' ? said(title) : `${said(title)}: ${oneLine(url)}`,
  );
  return list(words.access, { shown: pages, left }, words);
};

export const licenses = ({ shown, left }: OrderFacts['licenses'], { words }: Voice): string =>
  list(words.licenses, { shown: shown.map(oneLine), left }, words);

/** A list under its heading; empty without items. */
function list(heading: string, { shown, left }: Listed<string>, { more }: Voice['words']): string {
  if (shown.length === 0) return '';
  return lines(heading, ...shown.map((item) => `- ${item}`), left > 0 && more(left));
}

const lines = (...given: readonly (string | false)[]) =>
  given.filter((line) => line !== false).join('\n');
