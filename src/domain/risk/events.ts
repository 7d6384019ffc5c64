import { defineEvents } from '../../kernel/events/define.ts';
import { FoundRisk } from './schemas.ts';

export const riskEvent = defineEvents('risks:read', {
  'risk.found': {
    summary: 'An order may earn an affiliate money from themselves; the commissions are held.',
    payload: FoundRisk,
  },
});
