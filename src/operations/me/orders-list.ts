import { endpoint, ownPage, session } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { readList } from '../../kernel/lists/read.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { Order } from '../../domain/order/schemas.ts';
import { orderList } from '../../actions/orders/listing.ts';
import { asOwn, seenBy, visibleOrders } from '../../actions/me/rules.ts';
import { OwnOrderQuery } from '../../actions/me/schemas.ts';

export const listOwnOrders = endpoint({
  id: 'me.orders.list',
  route: ['GET /me/orders'],
  summary: 'List your orders',
  description:
    'Orders in which the user is the buyer or the affiliate; an administrator sees all. Newest first. Affiliates see as much of an order as in `GET /me/orders/{id}`.',
  access: session(),
  effect: 'read',
  query: OwnOrderQuery,
  reply: [200, ownPage(Order)],
  errors: ['rest_forbidden'],
}).handle(async ({ principal, query, db }) => {
  const { scope, role, search, ...filters } = query;
  const visible = visibleOrders(scope ?? role, principal);
  if (visible === 'forbidden') return refuse('rest_forbidden');
  const searched = principal.isAdmin ? { search } : { name_search: search };
  const page = await readList(
    db,
    { ...filters, ...searched, ...visible },
    { ...orderList, show: (row) => seenBy(principal, toOrder(row)) },
  );
  return asOwn(principal, page);
});
