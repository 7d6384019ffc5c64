import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { loadMove, planMove, requestOf, stateOf } from '../../actions/subscriptions/moving.ts';
import { updatedSubscription } from '../../domain/subscription/changes.ts';
import { StoreSubscription, SubscriptionUpdate } from '../../domain/subscription/schemas.ts';

export const updateSubscription = endpoint({
  id: 'subscriptions.update',
  route: ['PATCH /subscriptions/:id', 'PUT /subscriptions/:id', 'POST /subscriptions/:id'],
  summary: 'Update a subscription',
  description:
    'Changes only the fields you send. A new end moves the access, and the due dates of a payment plan; licences keep their end. The end of a paused subscription cannot be set: 409 `subscription_paused`.',
  access: apiKey('subscriptions:write'),
  effect: 'write',
  params: IdParams,
  body: SubscriptionUpdate,
  reply: [200, record(StoreSubscription)],
  errors: ['rest_not_found', 'rest_invalid_param', 'subscription_over', 'subscription_paused'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: loadMove(params.id),
    decide: (loaded) => {
      const state = stateOf(loaded, ifMatch);
      if (isRefusal(state)) return state;
      const move = updatedSubscription(state, body, requestOf(loaded, 'store', now));
      if (isRefusal(move)) return move;
      const { after, ...planned } = planMove(loaded, state, move, now);
      return { ...planned, reply: one(after) };
    },
  }),
);
