import { endpoint } from '../../kernel/endpoint/declare.ts';
import { redirectTo } from '../../kernel/command/answers.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { memberRefusal } from '../../actions/subscriptions/members.ts';
import { loadMove, planMove, stateOf } from '../../actions/subscriptions/moving.ts';
import { resumedBy } from '../../domain/subscription/changes.ts';
import { accountOf } from '../../queries/accounts.ts';
import { findSettings } from '../../queries/settings.ts';
import { button } from './account-button.ts';
import { foreignRefusal, sessionOf } from './account-requests.ts';

export const resumeInAccount = endpoint({
  ...button,
  id: 'shop.accountResume',
  route: ['POST /account/subscriptions/:id/resume'],
  summary: 'Withdraw the cancellation of a subscription',
  errors: ['rest_forbidden', 'rest_not_found', 'nothing_to_resume'],
}).handle(async ({ params: { id }, db, request, config, authority, now }) => {
  const session = await sessionOf(request, config, authority);
  const foreign = foreignRefusal(request, config);
  if (foreign || !session) return foreign ?? refuse('rest_forbidden');
  const location = `${config.BASE_URL}/account`;
  const done = await db.change({
    load: { ...loadMove(id, accountOf(session, now)), settings: findSettings() },
    decide: (loaded) => {
      const state = memberRefusal(loaded.settings) ?? stateOf(loaded, undefined);
      if (isRefusal(state)) return state;
      const move = resumedBy(state, { by: 'member', now });
      if (isRefusal(move)) return move;
      const { after: _, ...planned } = planMove(loaded, state, move, now);
      return { ...planned, reply: { location } };
    },
  });
  return isRefusal(done) ? done : redirectTo(location);
});
