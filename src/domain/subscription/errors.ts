import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const subscriptionErrors = {
  tryout_used: [409, "A trial is only for a buyer's first order of this product."],
  subscription_not_renewable: [409, 'There is no subscription that this order could renew.'],
} as const satisfies ErrorTable;
