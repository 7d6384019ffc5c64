import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const checkoutErrors = {
  quote_expired: [409, 'The quote is older than 15 minutes. Ask for another.'],
  quote_changed: [409, 'The price is no longer the quoted one. Ask for another quote.'],
} as const satisfies ErrorTable;
