import type { MessageKind, TemplateKind } from '../../schema/lists.ts';

/** Whom messages are for. */
export const audiences = ['buyer', 'affiliate', 'seller'] as const;

type Audience = (typeof audiences)[number];

interface Kind {
  readonly audience: Audience;
  /** When it is sent, for whoever edits it. */
  readonly occasion: string;
  /**
   * Whether it belongs to what its reader does or has at the store. From others they can unsubscribe:
   * those too go out until they do.
   */
  readonly transactional: boolean;
}

const kind = (audience: Audience, occasion: string, transactional = true): Kind => ({
  audience,
  occasion,
  transactional,
});

/** What people are told of. Of a change that is several of these at once, only the last is told. */
export const kinds: Readonly<Record<TemplateKind, Kind>> = {
  welcome: kind('buyer', 'A user was created.'),
  'order-placed': kind('buyer', 'An order was placed and waits for its payment.'),
  'payment-received': kind('buyer', 'The payment for an order came in.'),
  'order-in-progress': kind('buyer', 'An order went into progress, though not by a payment.'),
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
  'new-order': kind('seller', 'An order was placed.'),
  'new-confirmation': kind('seller', 'A buyer reported a payment that needs checking.'),
  'unexpected-payment': kind('seller', 'Money came in that no order was waiting for.'),
  'webhook-paused': kind('seller', 'A webhook was paused because its receiver failed.'),
  'seller-summary': kind(
    'seller',
    'More than 20 notices of one kind came within an hour: it tells of the others together.',
  ),
};

/** Whether people get messages of a kind even if they unsubscribed; whoever tries a template out asked for it. */
export const isTransactional = (kind: MessageKind): boolean =>
  kind === 'test' || (kind !== 'reminder' && kinds[kind].transactional);
