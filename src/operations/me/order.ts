import { session } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/endpoint/envelope.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { findHistory, findOrder, isOwn } from '../../queries/orders.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { OrderWithHistory } from '../../domain/order/schemas.ts';
import { historySeenBy, seenBy } from './rules.ts';

export const getOwnOrder = endpoint({
  id: 'me.order',
  route: ['GET /me/orders/:id'],
  summary: 'Get one of your orders',
  description:
    "Visible to its buyer, its affiliate and administrators; anyone else gets 404. The affiliate does not see the buyer's e-mail address and phone, nor `note`, `meta` and the notes in the history.",
  access: session(),
  effect: 'read',
  params: IdParams,
  reply: [200, record(OrderWithHistory)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db }) => {
  const { found, history } = await db.query({
    found: findOrder(params.id, principal.isAdmin ? undefined : isOwn(principal.userId)),
    history: findHistory(params.id),
  });
  if (!found[0]) return refuse('rest_not_found');
  const order = toOrder(found[0]);
  return one({ ...seenBy(principal, order), history: historySeenBy(principal, order, history) });
});
