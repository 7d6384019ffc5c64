import * as z from 'zod';
import { apiKey } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isRefusal, isStale, refuse } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { findSettings } from '../platform/queries.ts';
import { findProduct } from '../products/queries.ts';
import { createOrder } from './creation.ts';
import {
  eraseOrder,
  findBuyerOf,
  findHistory,
  findOrder,
  findPerson,
  findProductOf,
  findSponsor,
  hideOrder,
  insertOrder,
  listOrders,
  saveOrder,
} from './queries.ts';
import { totalOrders } from './rollups.ts';
import { toOrder, toTotals } from './rules.ts';
import {
  Order,
  OrderCreate,
  OrderCount,
  OrderDelete,
  OrderQuery,
  OrderSum,
  OrderUpdate,
  OrderWithHistory,
} from './schemas.ts';
import { isErasable, updateOrder } from './update.ts';

export const listOrdersEndpoint = endpoint({
  id: 'orders.list',
  route: ['GET /orders'],
  summary: 'List orders',
  description:
    'Newest first. Filters combine. A plain date means a whole day in the time zone of the store. `output` asks for figures instead of the orders.',
  access: apiKey('orders:read'),
  effect: 'read',
  query: OrderQuery,
  reply: [200, z.union([page(Order), OrderSum, OrderCount])],
}).handle(async ({ query, db }) => {
  if (query.output === 'count' || query.output === 'sum') {
    const { totals, settings } = await db.query({
      totals: totalOrders(query),
      settings: findSettings(),
    });
    return one(toTotals(query.output, totals[0], settings[0]?.currency ?? ''));
  }
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listOrders(query, window),
    () => totalOrders(query),
  );
  return pageOf(query, rows.map(toOrder), total);
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
    'coupon_not_found',
    'product_closed',
    'out_of_stock',
    'purchase_too_soon',
    'rest_invalid_transition',
  ],
}).handle(async ({ body, db, principal, now }) =>
  db.change({
    load: {
      id: drawId('orders'),
      settings: findSettings(),
      product: findProduct(body.product_id),
      buyer: findPerson(body.user_id),
      explicit: findPerson(body.affiliate_id),
      sponsor: findSponsor(body.user_id),
    },
    decide: (loaded) => {
      const [settings] = loaded.settings;
      if (!settings) throw new Error('The store has no settings.');
      const [product] = loaded.product;
      const state = {
        id: nextId(loaded.id),
        settings,
        product,
        buyer: loaded.buyer[0],
        explicit: loaded.explicit[0],
        sponsor: loaded.sponsor[0],
      };
      const created = createOrder(state, body, principal.actor, now);
      if (isRefusal(created)) return created;
      return {
        write: insertOrder(created, product?.product.limit_buy_time ?? 0),
        reply: one(toOrder(created.row)),
      };
    },
  }),
);

export const updateOrderEndpoint = endpoint({
  id: 'orders.update',
  route: ['PUT /orders/:id', 'PATCH /orders/:id', 'POST /orders/:id'],
  summary: 'Update an order',
  description:
    'A partial update under each of the three methods. A change of status follows the transition table; the same status again changes nothing and answers `changed: false`.',
  access: apiKey('orders:write'),
  effect: 'write',
  params: IdParams,
  body: OrderUpdate,
  reply: [
    200,
    record(Order).extend({
      changed: z.boolean().optional().describe('False when the order already had the status.'),
    }),
  ],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'variant_required',
    'order_not_unpaid',
    'out_of_stock',
  ],
}).handle(async ({ params, body, db, principal, ifMatch, now }) =>
  db.change({
    load: {
      found: findOrder(params.id),
      settings: findSettings(),
      product: findProductOf(params.id),
      buyer: findBuyerOf(params.id),
      named: findPerson(body.affiliate_id),
    },
    decide: (loaded) => {
      const [row] = loaded.found;
      const [settings] = loaded.settings;
      const [product] = loaded.product;
      const [buyer] = loaded.buyer;
      if (!row || !settings || !product || !buyer) return refuse('rest_not_found');
      if (isStale(ifMatch, row.order)) return refuse('rest_conflict');
      const only = Object.keys(body).filter((field) => field !== 'reason');
      if (body.status === row.order.status && only.length === 1) {
        return { write: [], reply: { ...one(toOrder(row)), changed: false } };
      }
      const state = { row, settings, product, buyer, named: loaded.named[0] };
      const updated = updateOrder(state, body, principal.actor, now);
      if (isRefusal(updated)) return updated;
      return {
        write: saveOrder(row.order.version, updated),
        reply: {
          ...one(toOrder(updated.row)),
          ...(body.status && { changed: updated.history.length > 0 }),
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
    'Hides it from every list. `force=true` erases it, only when it is cancelled and no money moved on it.',
  access: apiKey('orders:delete'),
  effect: 'write',
  params: IdParams,
  query: OrderDelete,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'order_not_erasable'],
}).handle(async ({ params, query, db, ifMatch, now }) =>
  db.change({
    load: { found: findOrder(params.id) },
    decide: ({ found: [row] }) => {
      if (!row) return refuse('rest_not_found');
      if (isStale(ifMatch, row.order)) return refuse('rest_conflict');
      if (query.force && !isErasable(row.order)) return refuse('order_not_erasable');
      return {
        write: [query.force ? eraseOrder(row.order) : hideOrder(row.order, now)],
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);
