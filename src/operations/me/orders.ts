import { session } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { ownPage } from '../../kernel/endpoint/envelope.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { pageOf, readPage } from '../../kernel/endpoint/pagination.ts';
import { listOrders, matching } from '../../queries/orders.ts';
import { totalOrders } from '../../queries/order-totals.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { Order } from '../../domain/order/schemas.ts';
import { asOwn, seenBy, visibleOrders } from './rules.ts';
import { OwnOrderQuery } from './schemas.ts';

export const listOwnOrders = endpoint({
  id: 'me.orders',
  route: ['GET /me/orders'],
  summary: 'List your orders',
  description:
    'Orders in which the user is the buyer or the affiliate; an administrator sees all. Newest first.',
  access: session(),
  effect: 'read',
  query: OwnOrderQuery,
  reply: [200, ownPage(Order)],
  errors: ['rest_forbidden'],
}).handle(async ({ principal, query, db }) => {
  const visible = visibleOrders(query.scope ?? query.role, principal);
  if (visible === 'forbidden') return refuse('rest_forbidden');
  const { search, ...filters } = query;
  const limits = { visible, search: matching(search, principal.isAdmin) };
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listOrders(filters, window, limits),
    () => totalOrders(filters, limits),
  );
  const shown = rows.map((row) => seenBy(principal, toOrder(row)));
  return asOwn(principal, pageOf(query, shown, total));
});
