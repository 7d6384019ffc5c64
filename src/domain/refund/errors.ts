import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const refundErrors = {
  nothing_payable: [409, 'Nothing was paid that could be refunded.'],
  refund_exceeds_paid: [409, 'This is more than is left to refund.'],
  refund_not_failed: [409, 'This refund has not failed, or it was paid by hand already.'],
} as const satisfies ErrorTable;
