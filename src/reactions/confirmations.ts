import { reaction } from './reaction.ts';
import { expectTotal, supersedePending } from '../queries/confirmations.ts';

/** A waiting confirmation is compared with the order's current total. Settling the order closes the confirmation. */
export const confirmations = reaction({
  errors: [],
  load: () => ({}),
  decide: ({ before, after, now }) => {
    if (before?.status !== 'payment-confirm') return { write: [] };
    if (after.status !== 'payment-confirm') return { write: [supersedePending(after.id, now)] };
    const moved = after.grand_total !== before.grand_total;
    return { write: moved ? [expectTotal(after, now)] : [] };
  },
});
