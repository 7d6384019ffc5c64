import { apiKey, changesPage, endpoint } from '../../kernel/endpoint/declare.ts';
import { preparedList } from '../../kernel/lists/prepared.ts';
import { readChanges } from '../../kernel/lists/read.ts';
import { countProducts, listProducts } from '../../queries/products.ts';
import { toProduct } from '../../domain/product/rules.ts';
import { Product, ProductQuery } from '../../domain/product/schemas.ts';

const list = preparedList({ list: listProducts, count: countProducts }, [{}, { status: 'text' }]);

export const listProductsEndpoint = endpoint({
  id: 'products.list',
  route: ['GET /products'],
  summary: 'List products',
  description: 'Newest first, in every status unless you filter by `status`.',
  access: apiKey('products:read'),
  effect: 'read',
  query: ProductQuery,
  reply: [200, changesPage(Product)],
}).handle(async ({ query, db, now }) => readChanges(db, query, { ...list, show: toProduct }, now));
