import {
  type MessageKind,
  type SignInKind,
  type TemplateKind,
  signInKinds,
} from '../../schema/lists.ts';

export const audiences = ['buyer', 'affiliate', 'seller'] as const;

type Audience = (typeof audiences)[number];

interface Kind {
  readonly audience: Audience;
  readonly occasion: string;
  /** True if it is about the reader's own purchase or account. Other messages stop when the reader unsubscribes. */
  readonly transactional: boolean;
}

const kind = (audience: Audience, occasion: string, transactional = true): Kind => ({
  audience,
  occasion,
  transactional,
});

/** If a change causes several of these, only the last is sent. */
export const kinds: Readonly<Record<TemplateKind, Kind>> = {
  welcome: kind('buyer', 'A user was created.'),
  'order-placed': kind('buyer', 'An order was placed and waits for its payment.'),
  'payment-received': kind('buyer', 'The payment for an order came in.'),
  'order-in-progress': kind('buyer', 'An order went into progress without a payment.'),
  'order-shipped': kind('buyer', 'An order is on its way.'),
  'order-completed': kind('buyer', 'An order was completed.'),
  'order-cancelled': kind('buyer', 'An order was cancelled.'),
  'order-refunded': kind(
    'buyer',
    'A refund was recorded on an order; its money is on the way back.',
  ),
  'confirmation-rejected': kind('buyer', 'A payment confirmation was rejected.'),
  'subscription-ending': kind('buyer', 'A subscription ends within three days.', false),
  'subscription-ended': kind('buyer', 'A subscription ran out.', false),
  'subscription-cancelled': kind('buyer', 'A subscription was cancelled.'),
  'payment-overdue': kind('buyer', 'A payment of a plan is overdue; its days of grace began.'),
  'commission-earned': kind('affiliate', 'A commission was earned.', false),
  'commission-paid': kind('affiliate', 'Commissions were paid out.'),
  'bank-account-changed': kind('affiliate', 'The bank account for commissions was changed.'),
  'new-order': kind('seller', 'An order was placed.'),
  'new-confirmation': kind('seller', 'A buyer reported a payment that needs checking.'),
  'unexpected-payment': kind('seller', 'Money came in that no order was waiting for.'),
  'webhook-paused': kind('seller', 'A webhook was paused because its receiver failed.'),
  'seller-summary': kind(
    'seller',
    'More than 20 notices of one kind came within an hour: this message sums up the others.',
  ),
  'store-alert': kind(
    'seller',
    "A figure of the store's status is out of order for the first time in a day.",
  ),
};

export const isTemplateKind = (kind: MessageKind): kind is TemplateKind =>
  Object.hasOwn(kinds, kind);

/** Sign-in messages and the notice that somebody signed in. */
export const isSignInKind = (kind: MessageKind): kind is SignInKind =>
  signInKinds.some((each) => each === kind);

/** Tells if a kind is also sent to people who unsubscribed. A test of a template is, because somebody asked for it. */
export const isTransactional = (kind: MessageKind): boolean =>
  kind !== 'reminder' && (!isTemplateKind(kind) || kinds[kind].transactional);
