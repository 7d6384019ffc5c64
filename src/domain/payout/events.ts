import { defineEvents } from '../../kernel/events/define.ts';
import { Payout } from './schemas.ts';

export const payoutEvent = defineEvents('commissions:read', {
  'payout.paid': {
    summary:
      'An affiliate was paid. For a line of a payout run it is sent with the result, or three days after the confirmation; for any other payout at once.',
    payload: Payout,
  },
  'payout.returned': {
    summary: 'The money of a payout was returned: its commissions are payable again.',
    payload: Payout,
  },
});
