import { apiKey, changesPage, endpoint } from '../../kernel/endpoint/declare.ts';
import { readChanges } from '../../kernel/lists/read.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { Order } from '../../domain/order/schemas.ts';
import { OrderQuery } from '../../domain/order/request-schemas.ts';
import { orderList } from '../../actions/orders/listing.ts';

export const listOrdersEndpoint = endpoint({
  id: 'orders.list',
  route: ['GET /orders'],
  summary: 'List orders',
  description:
    "Newest first. Filters combine. A plain date means that whole day in the store's time zone.",
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderQuery,
  reply: [200, changesPage(Order)],
}).handle(async ({ query, db, now }) =>
  readChanges(db, query, { ...orderList, show: toOrder }, now),
);
