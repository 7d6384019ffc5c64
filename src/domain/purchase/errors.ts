import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What purchases refuse with. */
export const purchaseErrors = {
  purchase_too_soon: [409, 'This user bought this product a moment ago.'],
} as const satisfies ErrorTable;
