import { apiKey } from '../../auth/access.ts';
import { drawId, nextId, sendIf } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isRefusal, isStale, refuse } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { findSettings } from '../platform/queries.ts';
import { couponRefusals } from '../coupons/rules.ts';
import { cartState } from '../checkout/calculation.ts';
import { loadPurchase } from '../checkout/queries.ts';
import { readQuote } from '../checkout/quote.ts';
import { createOrder, quotableTotal, quotedOrder } from './creation.ts';
import { effectErrors, loadEffects } from './effects.ts';
import { orderEvent } from './events.ts';
import { candidatesFor, findHistory, findOrder, findStoredOrder, listOrders } from './queries.ts';
import { eraseOrder } from './queries-writing.ts';
import { redirectGateways } from '../payments/gateways/index.ts';
import { figuresOf, findFiguresNearOrder } from '../payments/queries.ts';
import { loadOrderUpdate, planCreation, planHiding, planMove } from './plan.ts';
import { totalOrders } from './rollups.ts';
import { toOrder, toSums } from './rules.ts';
import {
  ChangedOrder,
  Order,
  OrderCreate,
  OrderCount,
  OrderDelete,
  OrderFilters,
  OrderDeleteBody,
  OrderQuery,
  OrderSums,
  OrderUpdate,
  OrderWithHistory,
} from './schemas.ts';
import { mayDrawCode } from './revision.ts';
import { decideUpdate, hasMoved, isErasable } from './update.ts';

export const listOrdersEndpoint = endpoint({
  id: 'orders.list',
  route: ['GET /orders'],
  summary: 'List orders',
  description:
    'Newest first. Filters combine. A plain date means a whole day in the time zone of the store.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderQuery,
  reply: [200, page(Order)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listOrders(query, window),
    () => totalOrders(query),
  );
  return pageOf(query, rows.map(toOrder), total);
});

export const countOrders = endpoint({
  id: 'orders.count',
  route: ['GET /orders/count', 'GET /orders?output=count'],
  summary: 'Count orders',
  description: 'How many a list with these filters has. `GET /orders?output=count` is the same.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderFilters,
  reply: [200, record(OrderCount)],
}).handle(async ({ query, db }) => {
  const { totals } = await db.query({ totals: totalOrders(query) });
  return one({ count: totals[0]?.total ?? 0 });
});

export const sumOrders = endpoint({
  id: 'orders.sum',
  route: ['GET /orders/sum', 'GET /orders?output=sum'],
  summary: 'Sum up orders',
  description:
    'How many a list with these filters has, and their amounts. `GET /orders?output=sum` is the same.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderFilters,
  reply: [200, record(OrderSums)],
}).handle(async ({ query, db }) => {
  const { totals, settings } = await db.query({
    totals: totalOrders(query),
    settings: findSettings(),
  });
  return one(toSums(totals[0], settings[0]?.currency ?? ''));
});

export const getOrder = endpoint({
  id: 'orders.get',
  route: ['GET /orders/:id'],
  summary: 'Read an order',
  description: 'With its history: every change of status, who made it and when.',
  access: apiKey('orders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(OrderWithHistory)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found, history } = await db.query({
    found: findOrder(params.id),
    history: findHistory(params.id),
  });
  return found[0] ? one({ ...toOrder(found[0]), history }) : refuse('rest_not_found');
});

export const createOrderEndpoint = endpoint({
  id: 'orders.create',
  route: ['POST /orders'],
  summary: 'Create an order',
  description:
    'The server prices the order. One that costs nothing is paid at once; others wait for payment. Send an Idempotency-Key: a repeat then answers with the first order instead of placing another.',
  access: apiKey('orders:write'),
  effect: 'write',
  body: OrderCreate,
  reply: [201, record(Order)],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'variant_required',
    ...couponRefusals,
    'product_closed',
    'out_of_stock',
    'purchase_too_soon',
    'rest_invalid_transition',
    'quote_expired',
    'quote_changed',
    'unique_code_exhausted',
    'tryout_used',
    'subscription_not_renewable',
    ...effectErrors,
  ],
}).handle(async ({ body, db, principal, authority, config, now }) => {
  const quote = body.quote_token && (await readQuote(body.quote_token, authority, now));
  if (quote === null) {
    return refuse('rest_invalid_param', {
      params: { quote_token: 'is not a quote of this service' },
    });
  }
  if (quote === 'expired') return refuse('quote_expired');
  const input = quote ? quotedOrder(quote.cart, body) : body;
  const { product_id, user_id, order_parent_id, quantity } = input;
  const visit = input.ref === undefined ? undefined : { ref: input.ref, now };
  const purchase = { ...input, coupon: input.coupon_code, visit };
  return db.change({
    load: {
      id: drawId('orders'),
      ...loadPurchase(purchase, now),
      ...loadEffects({
        kind: 'new',
        user_id,
        product_id,
        quantity,
        order_parent_id,
        candidates: candidatesFor(purchase),
      }),
    },
    decide: (loaded) => {
      const state = {
        ...cartState(loaded),
        id: nextId(loaded.id),
        redirects: redirectGateways(config),
        chance: Math.random(),
      };
      const created = createOrder(state, input, principal.actor, now);
      if (isRefusal(created)) return created;
      if (quote && quote.grand_total !== quotableTotal(created.row.order)) {
        return refuse('quote_changed');
      }
      const plan = planCreation(created, loaded);
      return isRefusal(plan) ? plan : { ...plan, reply: one(toOrder(created.row)) };
    },
  });
});

export const updateOrderEndpoint = endpoint({
  id: 'orders.update',
  route: ['PATCH /orders/:id', 'PUT /orders/:id', 'POST /orders/:id'],
  summary: 'Update an order',
  description:
    'A partial update under each of the three methods. A change of status follows the transition table; the same status again changes nothing and answers `changed: false`. A cancelled order that is reopened has to be one that could be placed now: its product is there, its units are left, `limit_buy_time` has passed since the buyer ordered the product otherwise, and a trial is still the first order of it. Another quantity prices the order again by what was agreed when it was placed, not by what product and coupon are today. Of a refunded or cancelled order total, quantity, gateway and affiliate stay: 409 `order_closed`.',
  access: apiKey('orders:write'),
  effect: 'write',
  params: IdParams,
  body: OrderUpdate,
  reply: [200, ChangedOrder],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'order_closed',
    'order_not_unpaid',
    'coupon_min_amount',
    'unique_code_exhausted',
    'out_of_stock',
    'purchase_too_soon',
    'tryout_used',
    ...effectErrors,
  ],
}).handle(async ({ params, body, db, principal, config, ifMatch, now }) =>
  db.change({
    load: {
      ...loadOrderUpdate(params.id, body),
      figures: sendIf(mayDrawCode(body), () =>
        findFiguresNearOrder(params.id, body.grand_total, now),
      ),
    },
    decide: (loaded) => {
      const updated = decideUpdate(loaded, body, {
        actor: principal.actor,
        ifMatch,
        now,
        redirects: redirectGateways(config),
        takenFigures: figuresOf(loaded.figures),
        chance: Math.random(),
      });
      if (isRefusal(updated)) return updated;
      const plan = planMove(updated, loaded);
      if (isRefusal(plan)) return plan;
      return {
        ...plan,
        reply: {
          ...one(toOrder(updated.row)),
          ...(body.status && { changed: hasMoved(updated) }),
        },
      };
    },
  }),
);

export const deleteOrder = endpoint({
  id: 'orders.delete',
  route: ['DELETE /orders/:id'],
  summary: 'Delete an order',
  description:
    'Hides it from every list and figure. Whatever its status, all that followed from it is taken back, as by a cancellation: stock and coupon are given back, access, licences and subscription time end, the money counts as given back, commissions are cancelled; what was paid out of them is netted with the next payout. `force=true`, in the query or the body, erases an order that is cancelled and on which no money moved, also one that was hidden before.',
  access: apiKey('orders:delete'),
  effect: 'write',
  params: IdParams,
  query: OrderDelete,
  body: OrderDeleteBody,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'order_not_erasable', 'out_of_stock', ...effectErrors],
}).handle(async ({ params, query, body, db, principal, ifMatch, now }) => {
  const reply = one({ id: params.id, deleted: true as const });
  const deleted = orderEvent('order.deleted', { id: params.id, deleted: true });
  if (query.force ?? body.force) {
    return db.change({
      load: { found: findStoredOrder(params.id) },
      decide: ({ found: [row] }) => {
        if (!row) return refuse('rest_not_found');
        if (isStale(ifMatch, row.order)) return refuse('rest_conflict');
        if (!isErasable(row.order)) return refuse('order_not_erasable');
        // A hidden order was said to be deleted when it was hidden.
        const events = row.order.deleted_at === null ? [deleted] : [];
        return { write: eraseOrder(row.order), events, reply };
      },
    });
  }
  return db.change({
    load: loadOrderUpdate(params.id),
    decide: (loaded) => {
      const [row] = loaded.found;
      if (!row) return refuse('rest_not_found');
      if (isStale(ifMatch, row.order)) return refuse('rest_conflict');
      const plan = planHiding(row.order, loaded, { actor: principal.actor, ifMatch, now });
      if (isRefusal(plan)) return plan;
      return { write: plan.write, events: [...plan.events, deleted], reply };
    },
  });
});
