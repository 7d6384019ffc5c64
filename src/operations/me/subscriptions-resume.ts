import { session } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/schemas/parameters.ts';
import { memberRefusal } from '../../actions/subscriptions/members.ts';
import { loadMove, planMove, stateOf } from '../../actions/subscriptions/moving.ts';
import { resumedBy } from '../../domain/subscription/changes.ts';
import { Subscription } from '../../domain/subscription/schemas.ts';
import { findSettings } from '../../queries/settings.ts';

export const resumeOwnSubscription = endpoint({
  id: 'me.subscriptions.resume',
  route: ['POST /me/subscriptions/:id/resume'],
  summary: 'Withdraw your cancellation of a subscription',
  description:
    'Undoes only your own cancellation. A pause or a cancellation by the store stays, and the answer is 409 `nothing_to_resume`. If the setting `members_cancel` is off, the answer is 403.',
  access: session(),
  effect: 'write',
  params: IdParams,
  reply: [200, record(Subscription)],
  errors: ['rest_not_found', 'rest_forbidden', 'nothing_to_resume'],
}).handle(async ({ params, principal, db, ifMatch, now }) =>
  db.change({
    load: { ...loadMove(params.id, principal.userId), settings: findSettings() },
    decide: (loaded) => {
      const state = memberRefusal(loaded.settings) ?? stateOf(loaded, ifMatch);
      if (isRefusal(state)) return state;
      const move = resumedBy(state, { by: 'member', now });
      if (isRefusal(move)) return move;
      const { after, ...planned } = planMove(loaded, state, move, now);
      return { ...planned, reply: one(after) };
    },
  }),
);
