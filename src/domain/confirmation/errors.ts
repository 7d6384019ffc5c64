import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What payment confirmations refuse with. */
export const confirmationErrors = {
  confirmation_not_pending: [409, 'This confirmation has been reviewed or superseded.'],
} as const satisfies ErrorTable;
