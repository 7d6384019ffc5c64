import { unsent } from '../kernel/database/statements.ts';
import { mutationEvent } from '../domain/payment/mutation-events.ts';
import { unmatched } from '../domain/payment/mutations.ts';
import { isTakenBack } from '../domain/order/transitions.ts';
import { findMatchedMutations, saveMutation } from '../queries/bank-mutations.ts';
import { reaction } from './reaction.ts';

/** If an order waits for its payment again, the transfer that paid it is decided again. */
export const transfers = reaction({
  errors: [],
  load: (target) => ({
    matched: target.kind === 'new' ? unsent(findMatchedMutations) : findMatchedMutations(target.id),
  }),
  decide: (change, { matched }) => {
    if (!isTakenBack(change)) return { write: [] };
    const open = matched.map((before) => ({ before, after: unmatched(before, change.now) }));
    return {
      write: open.map(({ before, after }) => saveMutation(before, after)),
      events: open.map(({ after }) => mutationEvent('mutation.unmatched', after)),
    };
  },
});
