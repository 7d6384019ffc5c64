import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/endpoint/envelope.ts';
import { isRefusal, isStale, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { saveConfirmation } from '../../queries/confirmations.ts';
import { confirmationEvent } from '../../domain/confirmation/events.ts';
import { orderStatusAfter, reviewed } from '../../domain/confirmation/rules.ts';
import { ConfirmationReply, ConfirmationReview } from '../../domain/confirmation/schemas.ts';
import { changeErrors, loadReview, planStatus } from './confirm-payment.ts';
import { holdOrder } from '../../queries/order-guards.ts';

export const reviewConfirmation = endpoint({
  id: 'confirmations.review',
  route: ['POST /confirmations/:id'],
  summary: 'Approve or reject a payment confirmation',
  description:
    'Approved, the order is paid: completed, or in progress where goods are to be sent. Rejected, it waits for payment again. Only a pending confirmation can be reviewed; what settles its order another way supersedes it.',
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
      const [before] = loaded.confirmation;
      const [row] = loaded.found;
      if (!before || !row) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      if (before.status !== 'pending') return refuse('confirmation_not_pending');
      const { actor } = principal;
      const status = orderStatusAfter(body, row.product.type);
      const change = { status, note: body.reject_reason };
      const plan = planStatus(loaded, change, { actor, ifMatch: undefined, now });
      if (isRefusal(plan)) return plan;
      const after = reviewed(before, body, actor, now);
      return {
        write: [holdOrder(row.order), saveConfirmation(before, after), ...plan.write],
        events: [...plan.events, confirmationEvent(`confirmation.${body.status}`, after)],
        reply: one(after),
      };
    },
  }),
);
