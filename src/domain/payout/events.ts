import { defineEvents } from '../../kernel/events/define.ts';
import { Payout } from './schemas.ts';

export const payoutEvent = defineEvents('commissions:read', {
  'payout.paid': { summary: 'An affiliate was paid.', payload: Payout },
});
