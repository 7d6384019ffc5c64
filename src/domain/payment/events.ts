import { defineEvents } from '../../kernel/events/define.ts';
import { ProviderPayment, UnexpectedPayment } from './schemas.ts';

export const paymentEvent = defineEvents('payments:read', {
  'payment.unexpected': {
    summary: 'Money came that no order waited for.',
    payload: UnexpectedPayment,
  },
  'payment.disputed': {
    summary: "A buyer's bank asked for a payment back, or that was decided.",
    payload: ProviderPayment,
  },
});
