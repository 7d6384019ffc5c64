import { apiKey, endpoint, IdParams, queryId } from '../../kernel/endpoint/declare.ts';
import { refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { Id, Instant } from '../../lib/schemas.ts';
import { findUserId } from '../../queries/users.ts';
import { findLastCompleted } from '../../queries/orders.ts';
import { findStoredProduct } from '../../queries/products.ts';

import * as z from 'zod';

export const hasBought = endpoint({
  id: 'users.hasBought',
  route: ['GET /users/:id/has-bought'],
  summary: 'Check whether a user has bought a product',
  description: 'Only completed orders count; returns the most recent one.',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  query: z.object({ product_id: queryId }),
  reply: [
    200,
    z.object({
      success: z.literal(true),
      has_bought: z.boolean(),
      order_id: Id.nullable(),
      last_bought_at: Instant.nullable(),
      user_id: Id,
      product_id: Id,
    }),
  ],
  errors: ['rest_not_found'],
}).handle(async ({ params, query: { product_id }, db }) => {
  const { user, product, bought } = await db.query({
    user: findUserId(params.id),
    product: findStoredProduct(product_id),
    bought: findLastCompleted(params.id, product_id),
  });
  if (user.length === 0) return refuse('rest_not_found');
  if (product.length === 0) return unknownReference('product_id');
  const [order] = bought;
  return {
    success: true,
    has_bought: order !== undefined,
    order_id: order?.id ?? null,
    last_bought_at: order?.at ?? null,
    user_id: params.id,
    product_id,
  };
});
