import * as z from 'zod';
import { endpoint, ownPage, session } from '../../kernel/endpoint/declare.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { preparedList } from '../../kernel/lists/prepared.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countSubscriptions, listSubscriptions } from '../../queries/subscriptions.ts';
import { toSubscription } from '../../domain/subscription/rules.ts';
import { Subscription } from '../../domain/subscription/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';

const list = preparedList({ list: listSubscriptions, count: countSubscriptions }, [
  { user_id: 'bigint' },
]);

export const listOwnSubscriptions = endpoint({
  id: 'me.subscriptions.list',
  route: ['GET /me/subscriptions'],
  summary: 'List your subscriptions',
  description:
    'An order and its renewals are one subscription; each shows when it ends and what renewing it costs.',
  access: session(),
  effect: 'read',
  query: z.object(pageParameters),
  reply: [200, ownPage(Subscription)],
}).handle(async ({ principal, query, db, now }) => {
  const at = now.toISOString();
  const own = { ...query, user_id: principal.userId };
  const page = await readList(db, own, { ...list, show: (row) => toSubscription(row, at) });
  return asOwn(principal, page);
});
