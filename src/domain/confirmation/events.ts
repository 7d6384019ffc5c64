import { defineEvents } from '../../kernel/events/define.ts';
import { Confirmation } from './schemas.ts';

export const confirmationEvent = defineEvents('confirmations:read', {
  'confirmation.created': {
    summary: 'A buyer reported that an order was paid.',
    payload: Confirmation,
  },
  'confirmation.approved': {
    summary: 'A payment confirmation was approved.',
    payload: Confirmation,
  },
  'confirmation.rejected': {
    summary: 'A payment confirmation was rejected.',
    payload: Confirmation,
  },
});
