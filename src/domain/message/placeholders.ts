import type { TemplateKind } from '../../schema/lists.ts';
import type { Facts } from './facts.ts';

export const placeholders = {
  name: "The reader's name.",
  'store-name': "The store's name.",
  'store-url': "The address of the store's site.",
  'order-number': "The order's number.",
  'order-date': 'When the order was placed: date, time and time zone.',
  'product-name': 'The product.',
  quantity: 'How many of it were ordered.',
  amount:
    'What the order costs, or the next payment of the subscription, with its tax and shipping. Empty when nothing is to be paid for the subscription.',
  'how-to-pay':
    'How to pay for the order, in several lines: where, how much, with which reference, by when. Empty when nothing is due.',
  'order-link':
    "The link to the order's page, on which it is paid. Empty when nothing is due, and without the module `shop`.",
  'pay-before': 'When the order has to be paid by: date, time and time zone.',
  tracking:
    'Where the parcel is, in several lines: courier, tracking number, and a link to track it.',
  access: 'What the order gives access to: a heading, then a title and a link in each line.',
  licenses: 'The licence codes of the order: a heading, then a code in each line.',
  'account-link':
    'The page on which the buyer signs in to their orders, files and licences. Empty without the module `shop`.',
  'buyer-name': "The buyer's name.",
  'buyer-email': "The buyer's e-mail address.",
  reason:
    'The reason for the refund, the rejection of a confirmation, or the pause of a webhook, or what is wrong with an unexpected payment.',
  'refunded-amount': 'How much was refunded.',
  'reported-amount': 'How much the buyer says they paid. Empty if they stated no amount.',
  'received-amount': "How much came in. Empty if it is not in the store's currency.",
  'end-date': 'The date on which the subscription ends or ended; empty if it never ends.',
  commission: 'How much the affiliate earned.',
  'payout-amount': 'How much was paid to the affiliate.',
  'payout-method': 'How the payout was made.',
  'payout-reference': "The payout's reference.",
  'webhook-name': "The webhook's name.",
  count: 'How many notices the summary contains.',
  'signed-in': 'When somebody signed in to the console: date, time and time zone.',
  browser: 'The browser they signed in with.',
  country: 'The country they signed in from.',
  troubles: 'The problems of the store, one in each line.',
  summary:
    'The notices by kind: a line for each kind, with their number and a link into the console.',
} as const;

export type Placeholder = keyof typeof placeholders;

/** Facts that are present or absent together. */
type Part = Exclude<keyof Facts, 'store' | 'name'> | 'payment' | 'parcel' | 'goods' | 'buyer';

const parts: Readonly<Record<Part, readonly Placeholder[]>> = {
  order: ['order-number', 'order-date', 'product-name', 'quantity', 'amount'],
  payment: ['how-to-pay', 'order-link', 'pay-before'],
  parcel: ['tracking'],
  goods: ['access', 'licenses', 'account-link'],
  buyer: ['buyer-name', 'buyer-email'],
  refund: ['refunded-amount', 'reason'],
  confirmation: ['reported-amount', 'reason'],
  subscription: ['product-name', 'end-date', 'amount'],
  commission: ['commission', 'product-name'],
  payout: ['payout-amount', 'payout-method', 'payout-reference'],
  unexpected: ['received-amount', 'reason'],
  webhook: ['webhook-name', 'reason'],
  sign_in: ['signed-in', 'browser', 'country'],
  summary: ['count', 'summary'],
  alert: ['troubles'],
};

/** Affiliates never learn the buyer's identity, and only the buyer gets the goods. */
const partsOf: Readonly<Record<TemplateKind, readonly Part[]>> = {
  welcome: [],
  'order-placed': ['order', 'payment'],
  'payment-received': ['order'],
  'order-in-progress': ['order', 'payment'],
  'order-shipped': ['order', 'payment', 'parcel'],
  'order-completed': ['order', 'goods'],
  'order-cancelled': ['order'],
  'order-refunded': ['order', 'refund'],
  'confirmation-rejected': ['order', 'payment', 'confirmation'],
  'subscription-ending': ['subscription'],
  'subscription-ended': ['subscription'],
  'subscription-cancelled': ['subscription'],
  'payment-overdue': ['subscription'],
  'commission-earned': ['commission'],
  'commission-paid': ['payout'],
  'bank-account-changed': [],
  'new-order': ['order', 'buyer'],
  'new-confirmation': ['order', 'buyer', 'confirmation'],
  'unexpected-payment': ['order', 'buyer', 'unexpected'],
  'webhook-paused': ['webhook'],
  'seller-summary': ['summary'],
  'store-alert': ['alert'],
};

export const placeholdersOf = (kind: TemplateKind): readonly Placeholder[] => [
  'name',
  'store-name',
  'store-url',
  ...partsOf[kind].flatMap((part) => parts[part]),
];
