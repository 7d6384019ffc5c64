import { endpoint, IdParams, one, record, session } from '../../kernel/endpoint/declare.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findHistory, findOrder, isSeenBy } from '../../queries/orders.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { OrderWithHistory } from '../../domain/order/schemas.ts';
import { historySeenBy, seenBy } from '../../actions/me/rules.ts';

const read = prepared(
  { id: 'bigint', user_id: 'bigint', is_admin: 'boolean' },
  ({ id, user_id, is_admin }) => ({
    found: findOrder(id, isSeenBy(user_id, is_admin)),
    history: findHistory(id),
  }),
);

export const getOwnOrder = endpoint({
  id: 'me.orders.get',
  route: ['GET /me/orders/:id'],
  summary: 'Get one of your orders',
  description:
    "Visible to its buyer, its affiliate and administrators; anyone else gets 404. The affiliate does not see the buyer's e-mail address, nor `note`, `meta` and the notes in the history; of `shipping` only the courier, the service, the cost and the country.",
  access: session(),
  effect: 'read',
  params: IdParams,
  reply: [200, record(OrderWithHistory)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db }) => {
  const { found, history } = await db.query(
    read({ id: params.id, user_id: principal.userId, is_admin: principal.isAdmin }),
  );
  if (!found[0]) return refuse('rest_not_found');
  const order = toOrder(found[0]);
  return one({ ...seenBy(principal, order), history: historySeenBy(principal, order, history) });
});
