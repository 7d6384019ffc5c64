import * as z from 'zod';
import { apiKey, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findProduct } from '../../queries/products.ts';
import { toProduct } from '../../domain/product/rules.ts';
import { Product } from '../../domain/product/schemas.ts';

export const getVariants = endpoint({
  id: 'products.variants',
  route: ['GET /products/:id/variants'],
  summary: "List a product's variants",
  description: 'Groups of options, with the surcharge and the units left of each.',
  access: apiKey('products:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, z.object({ success: z.literal(true), data: Product.shape.variants })],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findProduct(params.id) });
  return found[0] ? one(toProduct(found[0]).variants) : refuse('rest_not_found');
});
