import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const riskErrors = {
  risk_void: [
    409,
    'The risk is void: its order was refunded or cancelled, or counts for another affiliate.',
  ],
} as const satisfies ErrorTable;
