import type { ErrorTable } from '../../kernel/errors/errors.ts';

/** What payments refuse with. */
export const paymentErrors = {
  order_not_payable: [409, 'The order is not waiting for a payment.'],
  gateway_unavailable: [503, 'The payment provider is not answering right now. Try again.'],
  unique_code_exhausted: [
    409,
    'Too many orders of this amount are waiting for a transfer, or were recently.',
  ],
  transfer_figure_taken: [
    409,
    'Another order is waiting for a transfer of exactly this amount, or was recently. Give this one another total.',
  ],
} as const satisfies ErrorTable;
