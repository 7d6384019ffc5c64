import { session } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { one, ownPage, record } from '../../http/envelope.ts';
import { refuse } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { findHistory, findOrder, inGroup, listOrders } from '../orders/queries.ts';
import { totalOrders } from '../orders/rollups.ts';
import { toOrder } from '../orders/rules.ts';
import { Order, OrderWithHistory } from '../orders/schemas.ts';
import { sessionContext } from '../sessions/rules.ts';
import { findUser } from '../users/queries.ts';
import { toUser } from '../users/rules.ts';
import { seenBy, visibleOrders } from './rules.ts';
import { OwnOrderQuery, ProfileReply } from './schemas.ts';

export const getMe = endpoint({
  id: 'me.get',
  route: ['GET /me'],
  summary: 'Read the own profile',
  description: 'The user the token speaks for, and the session behind it.',
  access: session(),
  effect: 'read',
  reply: [200, ProfileReply],
  errors: ['rest_not_found'],
}).handle(async ({ principal, db }) => {
  const { found } = await db.query({ found: findUser(principal.userId) });
  if (!found[0]) return refuse('rest_not_found');
  const { phone, bank_info, display_name, email, ...user } = toUser(found[0]);
  return {
    success: true,
    data: {
      id: user.id,
      effective_user_id: user.id,
      display_name,
      email,
      phone,
      bank: bank_info,
      can_affiliate: user.can_affiliate,
      can_affiliate_coupon: user.can_affiliate_coupon,
      is_admin: user.is_admin,
    },
    session: sessionContext(principal),
  };
});

export const listOwnOrders = endpoint({
  id: 'me.orders',
  route: ['GET /me/orders'],
  summary: 'List the own orders',
  description: 'As buyer, as affiliate or both; an administrator sees all. Newest first.',
  access: session(),
  effect: 'read',
  query: OwnOrderQuery,
  reply: [200, ownPage(Order)],
  errors: ['rest_forbidden'],
}).handle(async ({ principal, query, db }) => {
  const visible = visibleOrders(query.scope ?? query.role, principal);
  if (visible === 'forbidden') return refuse('rest_forbidden');
  const limits = [visible, inGroup(query.status_group)];
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listOrders(query, window, ...limits),
    () => totalOrders(query, ...limits),
  );
  const { meta, ...body } = pageOf(
    query,
    rows.map((row) => seenBy(principal, toOrder(row))),
    total,
  );
  return { ...body, meta: { ...meta, effective_user_id: principal.userId } };
});

export const getOwnOrder = endpoint({
  id: 'me.order',
  route: ['GET /me/orders/:id'],
  summary: 'Read one of the own orders',
  description:
    "Readable to its buyer, its affiliate and administrators; anybody else's is not found.",
  access: session(),
  effect: 'read',
  params: IdParams,
  reply: [200, record(OrderWithHistory)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db }) => {
  const visible = visibleOrders(undefined, principal);
  const { found, history } = await db.query({
    found: findOrder(params.id, visible === 'forbidden' ? undefined : visible),
    history: findHistory(params.id),
  });
  if (!found[0]) return refuse('rest_not_found');
  return one({ ...seenBy(principal, toOrder(found[0])), history });
});
