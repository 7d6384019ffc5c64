import { defineEvents } from '../../kernel/events/define.ts';
import { Subscription } from './schemas.ts';

export const subscriptionEvent = defineEvents('orders:read', {
  'subscription.active': {
    summary: 'A subscription started or was renewed.',
    payload: Subscription,
  },
  'subscription.ending': {
    summary: 'A subscription ends within three days, unless it is renewed.',
    payload: Subscription,
  },
  'subscription.expired': {
    summary: 'A subscription ended: its time ran out, or its payment was refunded.',
    payload: Subscription,
  },
});
