import { defineEvents } from '../../kernel/events/define.ts';
import { Payout } from './schemas.ts';

export const payoutEvent = defineEvents('commissions:read', {
  'payout.paid': {
    summary:
      'An affiliate was paid: told at once, for a line of a payout run with its result or three days after the confirmation.',
    payload: Payout,
  },
  'payout.returned': {
    summary: 'The money of a payout came back: its commissions are payable again.',
    payload: Payout,
  },
});
