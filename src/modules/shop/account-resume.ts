import { endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { memberRefusal } from '../../actions/subscriptions/members.ts';
import { loadMove, planMove, stateOf } from '../../actions/subscriptions/moving.ts';
import { resumedBy } from '../../domain/subscription/changes.ts';
import { findSettings } from '../../queries/settings.ts';
import { changeAsMember, memberForm } from './account-member.ts';

export const resumeInAccount = endpoint({
  ...memberForm,
  id: 'shop.accountResume',
  route: ['POST /account/subscriptions/:id/resume'],
  params: IdParams,
  summary: 'Withdraw the cancellation of a subscription',
  errors: ['rest_forbidden', 'rest_not_found', 'nothing_to_resume'],
}).handle(async ({ params: { id }, ...context }) =>
  changeAsMember(context, {
    path: `/account/subscriptions/${id}`,
    load: (member) => ({ move: loadMove(id, member), settings: findSettings() }),
    decide: ({ move: loaded, settings }) => {
      const { now } = context;
      const state = memberRefusal(settings) ?? stateOf(loaded, undefined);
      if (isRefusal(state)) return state;
      const move = resumedBy(state, { by: 'member', now });
      if (isRefusal(move)) return move;
      const { write, events } = planMove(loaded, state, move, now);
      return { write, events };
    },
  }),
);
