import { session } from '../../kernel/auth/access.ts';
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
import { memberRefusal } from '../../actions/subscriptions/members.ts';
import { Subscription, SubscriptionCancel } from '../../domain/subscription/schemas.ts';

export const cancelOwnSubscription = endpoint({
  id: 'me.subscriptions.cancel',
  route: ['POST /me/subscriptions/:id/cancel'],
  summary: 'Cancel one of your subscriptions',
  description:
    'Its unpaid renewals that are not shipped are cancelled with it. 403 if the setting `members_cancel` is off.',
  access: session(),
  effect: 'write',
  params: IdParams,
  body: SubscriptionCancel,
  reply: [200, record(Subscription)],
  errors: ['rest_forbidden', ...cancelErrors],
}).handle(async ({ params, body, principal, db, ifMatch, now }) =>
  db.change({
    load: (again: Tried | undefined) => loadCancellation(params.id, again, principal.userId),
    decide: (loaded) => {
      const request = { actor: principal.actor, by: 'member', ifMatch, now } as const;
      const planned = memberRefusal(loaded.settings) ?? planCancellation(loaded, body, request);
      if (isRefusal(planned)) return planned;
      const { after, ...decision } = planned;
      return { ...decision, reply: one(after) };
    },
  }),
);
