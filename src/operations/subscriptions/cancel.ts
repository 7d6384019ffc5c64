import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import {
  type Tried,
  cancelErrors,
  loadCancellation,
  planCancellation,
} from '../../actions/subscriptions/cancelling.ts';
import { StoreSubscription, SubscriptionCancel } from '../../domain/subscription/schemas.ts';

export const cancelSubscription = endpoint({
  id: 'subscriptions.cancel',
  route: ['POST /subscriptions/:id/cancel'],
  summary: 'Cancel a subscription',
  description:
    'The subscription cannot be renewed any more. Its unpaid renewals that are not shipped, their payment pages and its reminders are cancelled with it. Money is given back by refunds of its orders. While a payment for a renewal is being checked, `now` is refused: 409 `subscription_payment_pending` names the order.',
  access: apiKey('subscriptions:write'),
  effect: 'write',
  params: IdParams,
  body: SubscriptionCancel,
  reply: [200, record(StoreSubscription)],
  errors: cancelErrors,
}).handle(async ({ params, body, principal, db, ifMatch, now }) =>
  db.change({
    load: (again: Tried | undefined) => loadCancellation(params.id, again),
    decide: (loaded) => {
      const request = { actor: principal.actor, by: 'store', ifMatch, now } as const;
      const planned = planCancellation(loaded, body, request);
      if (isRefusal(planned)) return planned;
      const { after, ...decision } = planned;
      return { ...decision, reply: one(after) };
    },
  }),
);
