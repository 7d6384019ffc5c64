import type { Attempt, Payment } from './gateway.ts';

export const unpaid = (state: Payment['state']): Payment => ({
  state,
  paid: null,
  payment_ref: null,
  refunded: 0,
  dispute: 'none',
});

/**
 * A payment that may have been opened, at a provider that can't look it up by our reference. Nobody got the address of
 * its page, so no money can come.
 */
export const unopened = ({ expires_at }: Attempt, now: Date): Payment =>
  unpaid(now.toISOString() < expires_at ? 'open' : 'expired');
