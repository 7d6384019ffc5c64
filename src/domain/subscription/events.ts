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
  'subscription.overdue': {
    summary: 'A payment of a plan is overdue; access continues for the days of grace.',
    payload: Subscription,
  },
  'subscription.updated': {
    summary:
      'The end, the price or the note of a subscription was changed, or it was renewed while it is paused.',
    payload: Subscription,
  },
  'subscription.paused': {
    summary: 'A subscription was paused: it gives no access until it is resumed.',
    payload: Subscription,
  },
  'subscription.resumed': {
    summary: 'The pause of a subscription ended, or a scheduled change was withdrawn.',
    payload: Subscription,
  },
  'subscription.cancelled': {
    summary: 'A subscription was cancelled: at once, or at the end of its time.',
    payload: Subscription,
  },
  'subscription.expired': {
    summary: 'A subscription ended: its time ran out, or its payment was refunded.',
    payload: Subscription,
  },
});
