import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { loadMove, planMove, requestOf, stateOf } from '../../actions/subscriptions/moving.ts';
import { paused } from '../../domain/subscription/changes.ts';
import { StoreSubscription, SubscriptionPauseInput } from '../../domain/subscription/schemas.ts';

export const pauseSubscription = endpoint({
  id: 'subscriptions.pause',
  route: ['POST /subscriptions/:id/pause'],
  summary: 'Pause a subscription',
  description:
    'Stops the access, and the licences answer `SUBSCRIPTION_INACTIVE`. The time left is kept: when the subscription is resumed, everything ends later by the length of the pause.',
  access: apiKey('subscriptions:write'),
  effect: 'write',
  params: IdParams,
  body: SubscriptionPauseInput,
  reply: [200, record(StoreSubscription)],
  errors: ['rest_not_found', 'rest_invalid_param', 'subscription_over', 'subscription_paused'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: loadMove(params.id),
    decide: (loaded) => {
      const state = stateOf(loaded, ifMatch);
      if (isRefusal(state)) return state;
      const move = paused(state, body.until, requestOf(loaded, 'store', now));
      if (isRefusal(move)) return move;
      const { after, ...planned } = planMove(loaded, state, move, now);
      return { ...planned, reply: one(after) };
    },
  }),
);
