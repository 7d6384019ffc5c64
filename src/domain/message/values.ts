import { browserOf } from './browser.ts';
import { access, howToPay, licenses, summary, tracking, troubles } from './blocks.ts';
import type { Facts, OrderFacts } from './facts.ts';
import { clipped, oneLine } from '../../lib/text.ts';
import { type Placeholder, placeholders } from './placeholders.ts';
import type { Voice } from './voice.ts';

/** Empty if the facts lack the data. */
export type Values = Readonly<Record<Placeholder, string>>;

type KnownValues = Partial<Values>;

const untold = Object.fromEntries(Object.keys(placeholders).map((name) => [name, ''])) as Values;

export const valuesOf = (facts: Facts, voice: Voice): Values => ({
  ...untold,
  name: nameOf(facts.name, voice),
  'store-name': voice.said(facts.store.name),
  'store-url': oneLine(facts.store.url),
  ...(facts.order && ofOrder(facts.order, facts.store, voice)),
  ...ofMoney(facts, voice),
  ...ofAffiliate(facts, voice),
  ...ofReason(facts, voice),
  ...(facts.subscription && ofSubscription(facts.subscription, voice)),
  ...(facts.webhook && { 'webhook-name': voice.said(facts.webhook.name) }),
  ...(facts.sign_in && ofSignIn(facts.sign_in, voice)),
  ...(facts.summary && ofSummary(facts.summary, voice)),
  ...(facts.alert && { troubles: troubles(facts.alert, voice) }),
});

/**
 * Breaks up addresses in a person's name, which mail programs would turn into links. Otherwise somebody could sign up
 * with another person's address and have the store send them links.
 */
const nameOf = (name: string, { said }: Voice) => clipped(said(unlinked(name)), 100);

/** Compares normalised characters: IDNA takes full-width dots for dots. */
const unlinked = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[:/\\\u2044\u2215\u2236\u29f8\ua789]+/g, ' ')
    .replace(/[.\u3002][\p{Default_Ignorable_Code_Point}\p{M}]*(?=[\p{L}\p{N}])/gu, '. ');

const ofOrder = (order: OrderFacts, store: Facts['store'], voice: Voice): KnownValues => ({
  'order-number': oneLine(order.number),
  'order-date': voice.moment(order.placed),
  'product-name': voice.said(order.product),
  quantity: String(order.quantity),
  amount: voice.money(order.total),
  'buyer-name': nameOf(order.buyer.name, voice),
  'buyer-email': oneLine(order.buyer.email),
  access: access(order.access, voice),
  licenses: licenses(order.licenses, voice),
  'account-link': order.account ?? '',
  ...(order.payment && {
    'how-to-pay': howToPay(order.payment, order, store, voice),
    'order-link': order.payment.page ?? '',
    ...(order.payment.before !== null && { 'pay-before': voice.moment(order.payment.before) }),
  }),
  ...(order.shipping && { tracking: tracking(order.shipping, voice) }),
});

const ofMoney = ({ refund, confirmation, unexpected }: Facts, { money }: Voice): KnownValues => ({
  ...(refund && { 'refunded-amount': money(refund.amount) }),
  ...(confirmation &&
    confirmation.amount !== null && { 'reported-amount': money(confirmation.amount) }),
  ...(unexpected &&
    unexpected.reason !== 'currency' && { 'received-amount': money(unexpected.amount) }),
});

const ofAffiliate = ({ commission, payout }: Facts, { money, said }: Voice): KnownValues => ({
  ...(commission && {
    commission: money(commission.amount),
    'product-name': said(commission.product),
  }),
  ...(payout && {
    'payout-amount': money(payout.amount),
    'payout-method': said(payout.method),
    'payout-reference': oneLine(payout.reference),
  }),
});

function ofReason(facts: Facts, { words, said }: Voice): KnownValues {
  const { refund, confirmation, unexpected, webhook } = facts;
  if (unexpected) return { reason: words.unexpected[unexpected.reason] };
  if (webhook) return { reason: words.paused[webhook.reason] };
  return { reason: said(refund?.reason ?? confirmation?.reason ?? '') };
}

const ofSubscription = (
  { product, end, renewal }: NonNullable<Facts['subscription']>,
  { said, day, money }: Voice,
): KnownValues => ({
  'product-name': said(product),
  ...(end !== undefined && { 'end-date': day(end) }),
  amount: renewal === undefined ? '' : money(renewal),
});

const ofSignIn = (
  { at, browser, country }: NonNullable<Facts['sign_in']>,
  voice: Voice,
): KnownValues => ({
  'signed-in': voice.moment(at),
  browser: browserOf(browser, voice.words.browser),
  country: nameOf(country, voice),
});

const ofSummary = (gathered: NonNullable<Facts['summary']>, voice: Voice): KnownValues => ({
  count: String(Object.values(gathered.counts).reduce((sum, count) => sum + count, 0)),
  summary: summary(gathered, voice),
});
