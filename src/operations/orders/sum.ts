import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { findSettings } from '../../queries/settings.ts';
import { totalOrders } from '../../queries/order-totals.ts';
import { toSums } from '../../domain/order/rules.ts';
import { OrderFilters } from '../../domain/order/request-schemas.ts';
import { OrderSums } from '../../domain/order/schemas.ts';

export const sumOrders = endpoint({
  id: 'orders.sum',
  route: ['GET /orders/sum', 'GET /orders?output=sum'],
  summary: 'Sum orders',
  description:
    'Counts the orders that match the filters and sums their amounts. `GET /orders?output=sum` does the same.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderFilters,
  reply: [200, record(OrderSums)],
}).handle(async ({ query, db }) => {
  const { totals, settings } = await db.query({
    totals: totalOrders(query),
    settings: findSettings(),
  });
  return one(toSums(totals[0], settings[0]?.currency ?? null));
});
