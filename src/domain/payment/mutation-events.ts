import { defineEvents } from '../../kernel/events/define.ts';
import { BankMutation } from './mutation-schemas.ts';

export const mutationEvent = defineEvents('payments:read', {
  'mutation.unmatched': {
    summary: 'Money came by bank transfer, and it is not clear which order it pays.',
    payload: BankMutation,
  },
});
