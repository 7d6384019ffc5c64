import { defineEvents } from '../../kernel/events/define.ts';
import { FoundRisk } from './schemas.ts';

export const riskEvent = defineEvents('risks:read', {
  'risk.found': {
    summary: 'An affiliate may earn from their own purchases; the commissions are held.',
    payload: FoundRisk,
  },
});
