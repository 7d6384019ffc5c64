import { defineEvents } from '../../kernel/events/define.ts';
import { Refund } from './schemas.ts';

export const refundEvent = defineEvents('orders:read', {
  'order.refund-created': { summary: 'Money was refunded on an order.', payload: Refund },
  'order.refund-failed': {
    summary: 'The payment provider could not give the money of a refund back.',
    payload: Refund,
  },
});
