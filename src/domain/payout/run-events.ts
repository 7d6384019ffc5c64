import { defineEvents } from '../../kernel/events/define.ts';
import { PayoutRun } from './run-schemas.ts';

export const payoutRunEvent = defineEvents('payouts:read', {
  'payout-run.confirmed': {
    summary: 'A payout run was confirmed: its lines are payouts now.',
    payload: PayoutRun,
  },
});
