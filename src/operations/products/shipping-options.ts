import { apiKey, collection, endpoint, IdParams, one } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findProduct } from '../../queries/products.ts';
import { shippingQuotes } from '../../domain/product/rules.ts';
import { ShippingQuery, ShippingQuote } from '../../domain/product/schemas.ts';

export const getShippingOptions = endpoint({
  id: 'products.shippingOptions',
  route: ['GET /products/:id/shipping-options'],
  summary: 'List the shipping options of a product',
  description:
    'Each with its cost for this cart. Send only the `id` of the chosen option with the order; the server works out the cost again.',
  access: apiKey('checkout:read'),
  effect: 'read',
  params: IdParams,
  query: ShippingQuery,
  reply: [200, collection(ShippingQuote)],
  errors: ['rest_not_found'],
}).handle(async ({ params, query, db }) => {
  const { found } = await db.query({ found: findProduct(params.id) });
  return found[0] ? one(shippingQuotes(found[0].product, query)) : refuse('rest_not_found');
});
