import { apiKey, collection, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findOrder } from '../../queries/orders.ts';
import { listConfirmations } from '../../queries/confirmations.ts';
import { Confirmation } from '../../domain/confirmation/schemas.ts';

export const listOrderConfirmations = endpoint({
  id: 'orders.confirmations',
  route: ['GET /orders/:id/confirmations'],
  summary: 'List the payment confirmations of an order',
  access: apiKey('confirmations:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, collection(Confirmation)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const window = { limit: 100, offset: 0, ascending: false, after: undefined, counted: false };
  const { found, rows } = await db.query({
    found: findOrder(params.id),
    rows: listConfirmations({ order_id: params.id }, window),
  });
  return found[0] ? one(rows) : refuse('rest_not_found');
});
