import { defineEvents } from '../../kernel/events/define.ts';
import { ProviderPayment, UnexpectedPayment } from './schemas.ts';

export const paymentEvent = defineEvents('payments:read', {
  'payment.unexpected': {
    summary: 'Money came that no order waited for.',
    payload: UnexpectedPayment,
  },
  'payment.disputed': {
    summary: 'A buyer disputed a payment at their bank, or the dispute was decided.',
    payload: ProviderPayment,
  },
});
