import type { Attempt, Payment } from './gateway.ts';

/** A payment that no money came for. */
export const unpaid = (state: Payment['state']): Payment => ({
  state,
  paid: null,
  payment_ref: null,
  refunded: 0,
  dispute: 'none',
});

/**
 * A payment of which its provider was asked without an answer, and that can't be asked for by our
 * reference: nobody was sent to its page, so no money comes for it.
 */
export const unopened = ({ expires_at }: Attempt, now: Date): Payment =>
  unpaid(now.toISOString() < expires_at ? 'open' : 'expired');
