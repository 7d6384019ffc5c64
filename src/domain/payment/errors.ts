import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const paymentErrors = {
  order_not_payable: [409, 'The order is not waiting for a payment.'],
  gateway_unavailable: [503, 'The payment provider is not answering right now. Try again.'],
  payment_refused: [409, 'The payment provider does not accept this payment.'],
  callback_forged: [401, 'This could not be verified as coming from the provider.'],
  not_refundable: [409, 'This payment cannot be refunded through its provider.'],
  payment_resolved: [409, 'This payment has already been resolved.'],
  transfer_figure_taken: [
    409,
    'Another order is waiting for a transfer of exactly this amount, or was recently. Give this one another total.',
  ],
} as const satisfies ErrorTable;
