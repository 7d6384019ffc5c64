import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const purchaseErrors = {
  purchase_too_soon: [409, 'This user ordered this product too recently.'],
} as const satisfies ErrorTable;
