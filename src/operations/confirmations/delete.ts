import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { removeConfirmation } from '../../queries/confirmations.ts';
import { changeErrors, loadReview } from '../../actions/confirmations/confirm-payment.ts';
import { planWaiting } from '../../reactions/waiting.ts';
import { holdOrder } from '../../queries/order-guards.ts';

export const deleteConfirmation = endpoint({
  id: 'confirmations.delete',
  route: ['DELETE /confirmations/:id'],
  summary: 'Delete a payment confirmation',
  description:
    "Deleting the pending confirmation makes the order wait for payment again, for as long as a new order does, unless money of another amount waits for a decision. Deleting any other leaves the order's status as it is.",
  access: apiKey('confirmations:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: changeErrors,
}).handle(async ({ params, db, principal, ifMatch, now }) =>
  db.change({
    load: loadReview(params.id),
    decide: (loaded) => {
      const before = current(loaded.confirmation, ifMatch);
      if (isRefusal(before)) return before;
      const [row] = loaded.found;
      const reply = deleted(params.id);
      if (before.status !== 'pending' || !row)
        return { write: [removeConfirmation(before)], reply };
      const request = { actor: principal.actor, ifMatch: undefined, now };
      const note = 'The payment confirmation was deleted.';
      const plan = planWaiting(loaded, { confirmation_id: before.id }, request, note);
      if (isRefusal(plan)) return plan;
      return {
        write: [holdOrder(row.order), removeConfirmation(before), ...plan.write],
        events: plan.events,
        reply,
      };
    },
  }),
);
