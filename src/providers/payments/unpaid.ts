import type { Attempt, Payment } from './gateway.ts';

/** A payment without money. */
export const unpaid = (state: Payment['state']): Payment => ({
  state,
  paid: null,
  payment_ref: null,
  refunded: 0,
  dispute: 'none',
});

/**
 * A payment that the provider was asked to open without an answer, and that can't be looked up by our reference. Nobody
 * got its page's address, so no money can come.
 */
export const unopened = ({ expires_at }: Attempt, now: Date): Payment =>
  unpaid(now.toISOString() < expires_at ? 'open' : 'expired');
