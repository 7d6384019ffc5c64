import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { saveConfirmation } from '../../queries/confirmations.ts';
import { confirmationEvent } from '../../domain/confirmation/events.ts';
import { reviewed } from '../../domain/confirmation/rules.ts';
import { ConfirmationReply, ConfirmationReview } from '../../domain/confirmation/schemas.ts';
import { changeErrors, loadReview } from '../../actions/confirmations/confirm-payment.ts';
import { planPayment } from '../../reactions/plan.ts';
import { planWaiting } from '../../reactions/waiting.ts';
import { holdOrder } from '../../queries/order-guards.ts';

export const reviewConfirmation = endpoint({
  id: 'confirmations.review',
  route: ['POST /confirmations/:id'],
  summary: 'Approve or reject a payment confirmation',
  description:
    'Approving it marks the order paid: completed, or in progress if goods are to be sent. If the proof is of another amount, an order on delivery loses its fee. Rejecting it makes the order wait for payment again, unless money of another amount waits for a decision. Only a pending confirmation can be reviewed; it is superseded when its order is settled in another way.',
  access: apiKey('confirmations:write'),
  effect: 'write',
  params: IdParams,
  body: ConfirmationReview,
  reply: [200, ConfirmationReply],
  errors: ['confirmation_not_pending', ...changeErrors],
}).handle(async ({ params, body, db, principal, ifMatch, now }) =>
  db.change({
    load: loadReview(params.id),
    decide: (loaded) => {
      const [row] = loaded.found;
      if (!row) return refuse('rest_not_found');
      const before = current(loaded.confirmation, ifMatch);
      if (isRefusal(before)) return before;
      if (before.status !== 'pending') return refuse('confirmation_not_pending');
      const { actor } = principal;
      const request = { actor, ifMatch: undefined, now };
      const plan =
        body.status === 'rejected'
          ? planWaiting(loaded, { confirmation_id: before.id }, request, body.reject_reason)
          : planPayment(loaded, { amount: before.detail.total ?? row.order.grand_total }, request);
      if (isRefusal(plan)) return plan;
      const after = reviewed(before, body, actor, now);
      return {
        write: [holdOrder(row.order), saveConfirmation(before, after), ...plan.write],
        events: [...plan.events, confirmationEvent(`confirmation.${body.status}`, after)],
        before,
        reply: one(after),
      };
    },
  }),
);
