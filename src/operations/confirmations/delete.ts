import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { removeConfirmation } from '../../queries/confirmations.ts';
import { changeErrors, loadReview } from '../../actions/confirmations/confirm-payment.ts';
import { planStatus } from '../../reactions/plan.ts';
import { holdOrder } from '../../queries/order-guards.ts';

export const deleteConfirmation = endpoint({
  id: 'confirmations.delete',
  route: ['DELETE /confirmations/:id'],
  summary: 'Delete a payment confirmation',
  description:
    "Deleting the pending confirmation makes the order wait for payment again, for as long as a new order does. Deleting any other leaves the order's status as it is.",
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
      const change = { status: 'on-hold', note: 'The payment confirmation was deleted.' } as const;
      const request = { actor: principal.actor, ifMatch: undefined, now };
      const plan = planStatus(loaded, change, request);
      if (isRefusal(plan)) return plan;
      return {
        write: [holdOrder(row.order), removeConfirmation(before), ...plan.write],
        events: plan.events,
        reply,
      };
    },
  }),
);
