import { admin, session } from '../../auth/access.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Ignored, one, ownPage, record } from '../../http/envelope.ts';
import { isRefusal, isStale, refuse } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { findHistory, findOrder, isOwn, listOrders, matching } from '../orders/queries.ts';
import { totalOrders } from '../orders/rollups.ts';
import { effectErrors } from '../orders/effects.ts';
import { loadOrderUpdate, planMove } from '../orders/plan.ts';
import { toOrder } from '../orders/rules.ts';
import { ChangedOrder, Order, OrderWithHistory } from '../orders/schemas.ts';
import { decideStatus, hasMoved } from '../orders/update.ts';
import { userEvent } from '../users/events.ts';
import { findUser, saveUser } from '../users/queries.ts';
import { isSameUser, toUser, updatedUser } from '../users/rules.ts';
import { asOwn, historySeenBy, profileOf, seenBy, visibleOrders } from './rules.ts';
import { OrderStatusChange, OwnOrderQuery, ProfileReply, ProfileUpdate } from './schemas.ts';

export const getMe = endpoint({
  id: 'me.get',
  route: ['GET /me'],
  summary: 'Read the own profile',
  description: 'The user the token speaks for, and the session behind it.',
  access: session(),
  effect: 'read',
  etag: true,
  reply: [200, ProfileReply],
  errors: ['rest_not_found'],
}).handle(async ({ principal, db }) => {
  const { found } = await db.query({ found: findUser(principal.userId) });
  return found[0] ? profileOf(found[0], principal) : refuse('rest_not_found');
});

export const updateProfile = endpoint({
  id: 'me.profile',
  route: ['PATCH /me/profile', 'POST /me/profile'],
  summary: 'Change the own profile',
  access: session(),
  effect: 'write',
  body: ProfileUpdate,
  reply: [200, ProfileReply.extend({ meta: Ignored.optional() })],
  errors: ['rest_not_found'],
}).handle(async ({ principal, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findUser(principal.userId) },
    decide: ({ found: [before] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.user)) return refuse('rest_conflict');
      const after = updatedUser(before, body, now);
      if (isSameUser(before, after)) return { write: [], reply: profileOf(before, principal) };
      return {
        write: saveUser(before, after),
        events: [userEvent('user.updated', toUser(after))],
        reply: profileOf(after, principal),
      };
    },
  }),
);

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

export const getOwnOrder = endpoint({
  id: 'me.order',
  route: ['GET /me/orders/:id'],
  summary: 'Read one of the own orders',
  description:
    "Readable to its buyer, its affiliate and administrators; anybody else's is not found. Its affiliate does not see the buyer's e-mail address and phone, nor `note`, `meta` and the notes of the history.",
  access: session(),
  effect: 'read',
  params: IdParams,
  reply: [200, record(OrderWithHistory)],
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db }) => {
  const { found, history } = await db.query({
    found: findOrder(params.id, principal.isAdmin ? undefined : isOwn(principal.userId)),
    history: findHistory(params.id),
  });
  if (!found[0]) return refuse('rest_not_found');
  const order = toOrder(found[0]);
  return one({ ...seenBy(principal, order), history: historySeenBy(principal, order, history) });
});

export const changeOrderStatus = endpoint({
  id: 'me.orderStatus',
  route: ['PATCH /me/orders/:id/status', 'POST /me/orders/:id/status'],
  summary: 'Change the status of an order',
  description:
    'For administrators. Follows the transition table; the same status again changes nothing and answers `changed: false`. A cancelled order that is reopened has to be one that could be placed now.',
  access: admin(),
  effect: 'write',
  params: IdParams,
  body: OrderStatusChange,
  reply: [200, ChangedOrder],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'out_of_stock',
    'purchase_too_soon',
    'tryout_used',
    ...effectErrors,
  ],
}).handle(async ({ principal, params, body, db, ifMatch, now }) =>
  db.change({
    load: loadOrderUpdate(params.id),
    decide: (loaded) => {
      const updated = decideStatus(loaded, body, { actor: principal.actor, ifMatch, now });
      if (isRefusal(updated)) return updated;
      const plan = planMove(updated, loaded);
      if (isRefusal(plan)) return plan;
      return {
        ...plan,
        reply: { ...one(toOrder(updated.row)), changed: hasMoved(updated) },
      };
    },
  }),
);
