import { reaction } from './reaction.ts';
import { supersedePending } from '../queries/confirmations.ts';

/** A confirmation waits for its review as long as its order does: what settles the order closes it. */
export const confirmations = reaction({
  errors: [],
  load: () => ({}),
  decide: ({ before, after, now }) => {
    const settled = before?.status === 'payment-confirm' && after.status !== 'payment-confirm';
    return { write: settled ? [supersedePending(after.id, now)] : [] };
  },
});
