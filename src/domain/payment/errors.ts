import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What payments refuse with. */
export const paymentErrors = {
  order_not_payable: [409, 'The order does not wait for a payment.'],
  gateway_unavailable: [503, 'The payment provider does not answer right now. Try again.'],
  unique_code_exhausted: [
    409,
    'Too many orders of this amount wait for a transfer, or did lately.',
  ],
  transfer_figure_taken: [
    409,
    'Another order waits for a transfer of exactly this amount, or did lately. Give this one another total.',
  ],
} as const satisfies ErrorTable;
