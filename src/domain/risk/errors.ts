import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const riskErrors = {
  risk_void: [409, 'The risk is void: its order ended, or counts for somebody else.'],
} as const satisfies ErrorTable;
