import { reaction } from './reaction.ts';
import { expectTotal, supersedePending } from '../queries/confirmations.ts';

/**
 * A confirmation waits for its review as long as its order does, and is compared with what the order
 * costs by then: what changes the total changes that, what settles the order closes it.
 */
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
