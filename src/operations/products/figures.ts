import { apiKey, collection, endpoint, one } from '../../kernel/endpoint/declare.ts';
import { TopProduct } from '../../actions/me/summary-schemas.ts';
import { ProductFiguresQuery } from '../../domain/product/schemas.ts';
import { findProductFigures } from '../../queries/order-totals.ts';

export const getProductFigures = endpoint({
  id: 'products.figures',
  route: ['GET /products/figures'],
  summary: 'Get the figures of products',
  description:
    'The products sold in a range of days, by the day on which orders were placed, highest revenue first. Counts orders in progress, in shipping or completed, including those to be paid on delivery.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: ProductFiguresQuery,
  reply: [200, collection(TopProduct)],
}).handle(async ({ query, db }) => {
  const { figures } = await db.query({ figures: findProductFigures(query) });
  return one(figures);
});
