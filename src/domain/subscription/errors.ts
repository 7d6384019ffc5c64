import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const subscriptionErrors = {
  tryout_used: [409, "A trial is only for a buyer's first order of this product."],
  subscription_not_renewable: [409, 'There is no subscription that this order could renew.'],
  plan_complete: [409, 'Every payment of the plan was made, or has its order already.'],
  subscription_over: [409, 'The subscription is not running, or nothing was paid for it.'],
  subscription_paused: [409, 'The subscription is paused. Resume it first.'],
  subscription_payment_pending: [409, 'The payment for a renewal is being checked.'],
  nothing_to_resume: [409, 'The subscription is not paused, and nothing is scheduled for it.'],
} as const satisfies ErrorTable;
