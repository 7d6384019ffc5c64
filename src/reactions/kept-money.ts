import { unsent } from '../kernel/database/statements.ts';
import { mutationEvent } from '../domain/payment/mutation-events.ts';
import { unmatched } from '../domain/payment/mutations.ts';
import { paymentEvent } from '../domain/payment/events.ts';
import { reopened } from '../domain/payment/settlement.ts';
import { isTakenBack } from '../domain/order/transitions.ts';
import { findMatchedMutations, saveMutation } from '../queries/bank-mutations.ts';
import { findKept, saveUnexpected } from '../queries/unexpected-payments.ts';
import { reaction } from './reaction.ts';

/**
 * If an order waits for its payment again, its transfers, and other payments that were accepted for it, are decided
 * again.
 */
export const keptMoney = reaction({
  errors: [],
  load: (target) =>
    target.kind === 'new'
      ? { matched: unsent(findMatchedMutations), kept: unsent(findKept) }
      : { matched: findMatchedMutations(target.id), kept: findKept(target.id) },
  decide: (change, { matched, kept }) => {
    if (!isTakenBack(change)) return { write: [] };
    const mutations = matched.map((before) => ({ before, after: unmatched(before, change.now) }));
    const payments = kept.map((before) => ({ before, after: reopened(before, change.now) }));
    return {
      write: [
        ...mutations.map(({ before, after }) => saveMutation(before, after)),
        ...payments.map(({ before, after }) => saveUnexpected(before, after)),
      ],
      events: [
        ...mutations.map(({ after }) => mutationEvent('mutation.unmatched', after)),
        ...payments.map(({ after }) => paymentEvent('payment.unexpected', after)),
      ],
    };
  },
});
