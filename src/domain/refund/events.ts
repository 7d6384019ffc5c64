import { defineEvents } from '../../kernel/events/define.ts';
import { Refund } from './schemas.ts';

export const refundEvent = defineEvents('orders:read', {
  'order.refund-created': {
    summary: 'A refund was recorded on an order: `state` says how far the money is.',
    payload: Refund,
  },
  'order.refund-failed': {
    summary: 'The payment provider could not give the money of a refund back.',
    payload: Refund,
  },
});
