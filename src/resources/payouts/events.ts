import { defineEvents } from '../../events/define.ts';
import { Payout } from './schemas.ts';

export const payoutEvent = defineEvents({
  'payout.paid': { summary: 'An affiliate was paid.', payload: Payout },
});
