import { apiKey, collection, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findOrder } from '../../queries/orders.ts';
import { findRefunds } from '../../queries/refunds.ts';
import { shownProvided } from '../../domain/refund/rules.ts';
import { Refund } from '../../domain/refund/schemas.ts';

export const listRefunds = endpoint({
  id: 'refunds.list',
  route: ['GET /orders/:id/refunds'],
  summary: 'List the refunds of an order',
  description:
    "Newest first, whether made by a refund, a change of status or a cancellation. Those without `reopened_at` add up to the order's `refunded_total`.",
  access: apiKey('orders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, collection(Refund)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found, refunds } = await db.query({
    found: findOrder(params.id),
    refunds: findRefunds(params.id),
  });
  return found[0] ? one(refunds.map((row) => shownProvided(row))) : refuse('rest_not_found');
});
