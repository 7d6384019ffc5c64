import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/endpoint/envelope.ts';
import { totalOrders } from '../../queries/order-totals.ts';
import { OrderCount, OrderFilters } from '../../domain/order/schemas.ts';

export const countOrders = endpoint({
  id: 'orders.count',
  route: ['GET /orders/count', 'GET /orders?output=count'],
  summary: 'Count orders',
  description:
    'Counts the orders that match the filters. `GET /orders?output=count` does the same.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderFilters,
  reply: [200, record(OrderCount)],
}).handle(async ({ query, db }) => {
  const { totals } = await db.query({ totals: totalOrders(query) });
  return one({ count: totals[0]?.total ?? 0 });
});
