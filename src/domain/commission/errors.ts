import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const commissionErrors = {
  commission_paid: [409, 'A commission that was paid cannot change.'],
  commission_adjustment: [409, 'An adjustment follows its sale: change the sale instead.'],
  commission_not_payable: [409, 'The commission is not payable yet.'],
} as const satisfies ErrorTable;
