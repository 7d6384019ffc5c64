import { defineEvents } from '../../kernel/events/define.ts';
import { Subscription } from './schemas.ts';

/** The events of subscriptions. */
export const subscriptionEvent = defineEvents('orders:read', {
  'subscription.active': {
    summary: 'A subscription starts, or an order renews it.',
    payload: Subscription,
  },
  'subscription.expired': {
    summary: 'A subscription is over: its end passed, or its payment was given back.',
    payload: Subscription,
  },
});
