import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { Deleted, deletedRecord, one } from '../../kernel/endpoint/envelope.ts';
import { isRefusal, isStale, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { removeConfirmation } from '../../queries/confirmations.ts';
import { changeErrors, loadReview, planStatus } from './confirm-payment.ts';
import { holdOrder } from '../../queries/order-guards.ts';

export const deleteConfirmation = endpoint({
  id: 'confirmations.delete',
  route: ['DELETE /confirmations/:id'],
  summary: 'Delete a payment confirmation',
  description:
    'With the pending one, nobody says any more that the order is paid: it waits for payment again, for as long as a new order does. With any other, the order keeps its status.',
  access: apiKey('confirmations:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: changeErrors,
}).handle(async ({ params, db, principal, ifMatch, now }) =>
  db.change({
    load: loadReview(params.id),
    decide: (loaded) => {
      const [before] = loaded.confirmation;
      const [row] = loaded.found;
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const reply = one(deletedRecord(params.id));
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
