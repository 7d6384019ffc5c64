import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { loadMove, planMove, stateOf } from '../../actions/subscriptions/moving.ts';
import { resumedBy } from '../../domain/subscription/changes.ts';
import { StoreSubscription } from '../../domain/subscription/schemas.ts';

export const resumeSubscription = endpoint({
  id: 'subscriptions.resume',
  route: ['POST /subscriptions/:id/resume'],
  summary: 'Resume a subscription',
  description:
    'Ends its pause. If it is not paused, withdraws its `scheduled` change. Without either: 409 `nothing_to_resume`.',
  access: apiKey('subscriptions:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, record(StoreSubscription)],
  errors: ['rest_not_found', 'nothing_to_resume'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: loadMove(params.id),
    decide: (loaded) => {
      const state = stateOf(loaded, ifMatch);
      if (isRefusal(state)) return state;
      const move = resumedBy(state, { by: 'store', now });
      if (isRefusal(move)) return move;
      const { after, ...planned } = planMove(loaded, state, move, now);
      return { ...planned, reply: one(after) };
    },
  }),
);
