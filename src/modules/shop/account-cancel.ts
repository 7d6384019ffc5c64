import { endpoint } from '../../kernel/endpoint/declare.ts';
import { redirectTo } from '../../kernel/command/answers.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import {
  type Tried,
  cancelErrors,
  loadCancellation,
  planCancellation,
} from '../../actions/subscriptions/cancelling.ts';
import { memberRefusal } from '../../actions/subscriptions/members.ts';
import { accountOf, findAccount } from '../../queries/accounts.ts';
import { button } from './account-button.ts';
import { foreignRefusal, sessionOf } from './account-requests.ts';

export const cancelInAccount = endpoint({
  ...button,
  id: 'shop.accountCancel',
  route: ['POST /account/subscriptions/:id/cancel'],
  summary: 'Cancel a subscription at its end',
  errors: ['rest_forbidden', ...cancelErrors],
}).handle(async ({ params: { id }, db, request, config, authority, now }) => {
  const session = await sessionOf(request, config, authority);
  const foreign = foreignRefusal(request, config);
  if (foreign || !session) return foreign ?? refuse('rest_forbidden');
  const location = `${config.BASE_URL}/account`;
  const done = await db.change({
    load: (again: Tried | undefined) => ({
      ...loadCancellation(id, again, accountOf(session, now)),
      account: findAccount(session, now),
    }),
    decide: ({ account: [member], ...loaded }) => {
      if (!member) return refuse('rest_forbidden');
      const actor = { type: 'user', id: member.id } as const;
      const asked = { actor, by: 'member', ifMatch: undefined, now } as const;
      const planned =
        memberRefusal(loaded.settings) ?? planCancellation(loaded, { at: 'end' }, asked);
      if (isRefusal(planned)) return planned;
      const { after: _, ...decision } = planned;
      return { ...decision, reply: { location } };
    },
  });
  return isRefusal(done) ? done : redirectTo(location);
});
