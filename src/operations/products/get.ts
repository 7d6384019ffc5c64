import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findProduct } from '../../queries/products.ts';
import { toProduct } from '../../domain/product/rules.ts';
import { Product } from '../../domain/product/schemas.ts';

const read = prepared({ id: 'bigint' }, ({ id }) => ({ found: findProduct(id) }));

export const getProduct = endpoint({
  id: 'products.get',
  route: ['GET /products/:id'],
  summary: 'Get a product',
  access: apiKey('products:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Product)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query(read(params));
  return found[0] ? one(toProduct(found[0])) : refuse('rest_not_found');
});
