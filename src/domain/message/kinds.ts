import type { TemplateKind } from '../../schema/lists.ts';

/** Who a message is for. */
export type Audience = 'buyer' | 'affiliate' | 'seller';

interface Kind {
  readonly audience: Audience;
  /** When it is sent, for whoever edits it. */
  readonly summary: string;
  /**
   * Whether it belongs to what its reader does or has at the store. From others they can unsubscribe:
   * those too go out until they do.
   */
  readonly transactional: boolean;
}

const kind = (audience: Audience, summary: string, transactional = true): Kind => ({
  audience,
  summary,
  transactional,
});

/** What people are told of. Of a change that is several of these at once, only the last is told. */
export const kinds: Readonly<Record<TemplateKind, Kind>> = {
  welcome: kind('buyer', 'A user was created.'),
  'order-placed': kind('buyer', 'An order was placed and waits for its payment.'),
  'payment-received': kind('buyer', 'The payment of an order came in.'),
  'order-in-progress': kind('buyer', 'An order is in progress, without a payment that came in.'),
  'order-shipped': kind('buyer', 'An order is on its way.'),
  'order-completed': kind('buyer', 'An order was completed.'),
  'order-cancelled': kind('buyer', 'An order was cancelled.'),
  'order-refunded': kind('buyer', 'Money was refunded on an order.'),
  'confirmation-rejected': kind('buyer', 'A payment confirmation was rejected.'),
  'subscription-ending': kind('buyer', 'A subscription ends within three days.', false),
  'subscription-ended': kind('buyer', 'A subscription ran out.', false),
  'commission-earned': kind('affiliate', 'A commission was earned.', false),
  'commission-paid': kind('affiliate', 'Commissions were paid out.'),
  'new-order': kind('seller', 'An order was placed.'),
  'new-confirmation': kind('seller', 'A buyer reported a payment, which is to be looked at.'),
  'unexpected-payment': kind('seller', 'Money came that no order waits for.'),
  'webhook-paused': kind('seller', 'A webhook was paused, since its receiver failed.'),
};
