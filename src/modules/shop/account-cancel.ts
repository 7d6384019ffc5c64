import { endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import {
  type Tried,
  cancelErrors,
  loadCancellation,
  planCancellation,
} from '../../actions/subscriptions/cancelling.ts';
import { memberRefusal } from '../../actions/subscriptions/members.ts';
import { changeAsMember, memberForm } from './account-member.ts';

export const cancelInAccount = endpoint({
  ...memberForm,
  id: 'shop.accountCancel',
  route: ['POST /account/subscriptions/:id/cancel'],
  params: IdParams,
  summary: 'Cancel a subscription at its end',
  errors: ['rest_forbidden', ...cancelErrors],
}).handle(async ({ params: { id }, ...context }) =>
  changeAsMember(context, {
    path: `/account/subscriptions/${id}`,
    load: (member, again: Tried | undefined) => loadCancellation(id, again, member),
    decide: (loaded, member) => {
      const actor = { type: 'user', id: member.actor_id ?? member.id } as const;
      const asked = { actor, by: 'member', ifMatch: undefined, now: context.now } as const;
      const planned =
        memberRefusal(loaded.settings) ?? planCancellation(loaded, { at: 'end' }, asked);
      if (isRefusal(planned)) return planned;
      const { before: _, after: __, ...decision } = planned;
      return decision;
    },
  }),
);
