import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findHistory, findOrder } from '../../queries/orders.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { OrderWithHistory } from '../../domain/order/schemas.ts';

const read = prepared({ id: 'bigint' }, ({ id }) => ({
  found: findOrder(id),
  history: findHistory(id),
}));

export const getOrder = endpoint({
  id: 'orders.get',
  route: ['GET /orders/:id'],
  summary: 'Get an order',
  description:
    'Includes its history: each change of status, with when it was made and who made it, by id and name.',
  access: apiKey('orders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(OrderWithHistory)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found, history } = await db.query(read(params));
  return found[0] ? one({ ...toOrder(found[0]), history }) : refuse('rest_not_found');
});
