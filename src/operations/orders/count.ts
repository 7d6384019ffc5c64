import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { countByStatus } from '../../queries/order-totals.ts';
import { inEveryStatus } from '../../domain/order/rules.ts';
import { OrderCount } from '../../domain/order/schemas.ts';
import { OrderFilters } from '../../domain/order/request-schemas.ts';

export const countOrders = endpoint({
  id: 'orders.count',
  route: ['GET /orders/count', 'GET /orders?output=count'],
  summary: 'Count orders',
  description:
    'Counts the orders that match the filters, altogether and in every status. `GET /orders?output=count` does the same.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderFilters,
  reply: [200, record(OrderCount)],
}).handle(async ({ query, db }) => {
  const { counted } = await db.query({ counted: countByStatus(query) });
  const count = counted.reduce((sum, { total }) => sum + total, 0);
  return one({ count, by_status: inEveryStatus(counted) });
});
