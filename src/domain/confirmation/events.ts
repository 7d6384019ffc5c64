import { defineEvents } from '../../kernel/events/define.ts';
import { Confirmation } from './schemas.ts';

export const confirmationEvent = defineEvents('confirmations:read', {
  'confirmation.created': { summary: 'A buyer says an order is paid.', payload: Confirmation },
  'confirmation.approved': { summary: 'A payment was approved.', payload: Confirmation },
  'confirmation.rejected': { summary: 'A payment was not found.', payload: Confirmation },
});
