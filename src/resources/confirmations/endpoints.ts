import { apiKey } from '../../auth/access.ts';
import type { Actor } from '../../auth/principals.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { type WriteAccess, endpoint } from '../../http/endpoint.ts';
import { Deleted, collection, one, page } from '../../http/envelope.ts';
import { isRefusal, isStale, refuse, unknownReference } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { effectErrors } from '../orders/effects.ts';
import { loadOrderUpdate, planUpdate } from '../orders/plan.ts';
import { findOrder } from '../orders/queries.ts';
import { isUnpaid } from '../orders/transitions.ts';
import { type LoadedUpdate, type UpdateRequest, decideStatus } from '../orders/update.ts';
import type { OrderStatus } from '../../lib/statuses.ts';
import {
  countConfirmations,
  findConfirmation,
  findSameProof,
  holdOrder,
  insertConfirmation,
  listConfirmations,
  orderOf,
  removeConfirmation,
  saveConfirmation,
  supersedePending,
} from './queries.ts';
import { confirmationEvent } from './events.ts';
import { newConfirmation, orderStatusAfter, proofOf, reviewed } from './rules.ts';
import {
  Confirmation,
  ConfirmationCreate,
  ConfirmationInput,
  ConfirmationQuery,
  ConfirmationReply,
  ConfirmationReview,
} from './schemas.ts';

const changeErrors = [
  'rest_not_found',
  'rest_invalid_param',
  'rest_invalid_transition',
  'out_of_stock',
  ...effectErrors,
] as const;

export const listConfirmationsEndpoint = endpoint({
  id: 'confirmations.list',
  route: ['GET /confirmations'],
  summary: 'List payment confirmations',
  access: apiKey('confirmations:read'),
  effect: 'read',
  query: ConfirmationQuery,
  reply: [200, page(Confirmation)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listConfirmations(query, window),
    () => countConfirmations(query),
  );
  return pageOf(query, rows, total);
});

export const getConfirmation = endpoint({
  id: 'confirmations.get',
  route: ['GET /confirmations/:id'],
  summary: 'Read a payment confirmation',
  access: apiKey('confirmations:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, ConfirmationReply],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findConfirmation(params.id) });
  return found[0] ? one(found[0]) : refuse('rest_not_found');
});

export const listOrderConfirmations = endpoint({
  id: 'orders.confirmations',
  route: ['GET /orders/:id/confirmations'],
  summary: 'List the payment confirmations of an order',
  access: apiKey('confirmations:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, collection(Confirmation)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const window = { limit: 100, offset: 0, ascending: false, after: undefined, counted: false };
  const { found, rows } = await db.query({
    found: findOrder(params.id),
    rows: listConfirmations({ order_id: params.id }, window),
  });
  return found[0] ? one(rows) : refuse('rest_not_found');
});

/** A change of an order's status with everything that follows from it. */
function planStatus(
  loaded: LoadedUpdate & Readonly<Record<string, unknown>>,
  change: { readonly status: OrderStatus; readonly note?: string | undefined },
  request: UpdateRequest,
) {
  const updated = decideStatus(loaded, change, request);
  return isRefusal(updated) ? updated : planUpdate(updated, loaded);
}

/** Takes a buyer's word for a payment: the order waits for its review from then on. */
const confirm = (
  db: WriteAccess<{ success: true; data: Confirmation }>,
  order_id: number,
  input: ConfirmationInput,
  unknown: () => ReturnType<typeof unknownReference>,
  { actor, now }: { actor: () => Actor; now: Date },
) =>
  db.change({
    load: {
      ...loadOrderUpdate(order_id),
      id: drawId('confirmations'),
      same: findSameProof(proofOf(input)),
    },
    decide: (loaded) => {
      const [row] = loaded.found;
      if (!row) return unknown();
      if (!isUnpaid(row.order.status)) return refuse('order_not_payable');
      const request = { actor: actor(), ifMatch: undefined, now };
      const plan = planStatus(loaded, { status: 'payment-confirm' }, request);
      if (isRefusal(plan)) return plan;
      const id = nextId(loaded.id);
      const confirmation = newConfirmation(input, id, row.order, loaded.same[0], now);
      return {
        write: [
          holdOrder(row.order),
          ...plan.write,
          supersedePending(row.order.id, now),
          insertConfirmation(confirmation),
        ],
        events: [...plan.events, confirmationEvent('confirmation.created', confirmation)],
        reply: one(confirmation),
      };
    },
  });

export const createConfirmation = endpoint({
  id: 'confirmations.create',
  route: ['POST /confirmations'],
  summary: 'Confirm a payment',
  description:
    'For an unpaid order, which then waits for the review. A new confirmation supersedes the pending one.',
  access: apiKey('confirmations:write'),
  effect: 'write',
  body: ConfirmationCreate,
  reply: [201, ConfirmationReply],
  errors: ['order_not_payable', ...changeErrors],
}).handle(async ({ body: { order_id, ...input }, db, principal, now }) =>
  confirm(db, order_id, input, () => unknownReference('order_id'), {
    actor: () => principal.actor,
    now,
  }),
);

export const createOrderConfirmation = endpoint({
  id: 'orders.confirm',
  route: ['POST /orders/:id/confirmations', 'POST /orders/:id/confirmation'],
  summary: 'Confirm the payment of an order',
  description: 'The same as `POST /confirmations` with the order in the address.',
  access: apiKey('confirmations:write'),
  effect: 'write',
  params: IdParams,
  body: ConfirmationInput,
  reply: [201, ConfirmationReply],
  errors: ['order_not_payable', ...changeErrors],
}).handle(async ({ params, body, db, principal, now }) =>
  confirm(db, params.id, body, () => refuse('rest_not_found'), {
    actor: () => principal.actor,
    now,
  }),
);

/** A confirmation with its order, and what a change of both is decided on. */
const loadReview = (id: number) => ({
  ...loadOrderUpdate(orderOf(id)),
  confirmation: findConfirmation(id),
});

export const reviewConfirmation = endpoint({
  id: 'confirmations.review',
  route: ['POST /confirmations/:id'],
  summary: 'Approve or reject a payment confirmation',
  description:
    'Approved, the order is paid: completed, or in progress where goods are to be sent. Rejected, it waits for payment again. Only a pending confirmation can be reviewed; what settles its order another way supersedes it.',
  access: apiKey('confirmations:write'),
  effect: 'write',
  params: IdParams,
  body: ConfirmationReview,
  reply: [200, ConfirmationReply],
  errors: ['confirmation_not_pending', ...changeErrors],
}).handle(async ({ params, body, db, principal, ifMatch, now }) =>
  db.change({
    load: loadReview(params.id),
    decide: (loaded) => {
      const [before] = loaded.confirmation;
      const [row] = loaded.found;
      if (!before || !row) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      if (before.status !== 'pending') return refuse('confirmation_not_pending');
      const { actor } = principal;
      const status = orderStatusAfter(body, row.product.type);
      const change = { status, note: body.reject_reason };
      const plan = planStatus(loaded, change, { actor, ifMatch: undefined, now });
      if (isRefusal(plan)) return plan;
      const after = reviewed(before, body, actor, now);
      return {
        write: [holdOrder(row.order), saveConfirmation(before, after), ...plan.write],
        events: [...plan.events, confirmationEvent(`confirmation.${body.status}`, after)],
        reply: one(after),
      };
    },
  }),
);

export const deleteConfirmation = endpoint({
  id: 'confirmations.delete',
  route: ['DELETE /confirmations/:id'],
  summary: 'Delete a payment confirmation',
  description:
    'With the pending one, nobody says any more that the order is paid: it waits for payment again, for as long as a new order does. With any other, the order keeps its status.',
  access: apiKey('confirmations:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: changeErrors,
}).handle(async ({ params, db, principal, ifMatch, now }) =>
  db.change({
    load: loadReview(params.id),
    decide: (loaded) => {
      const [before] = loaded.confirmation;
      const [row] = loaded.found;
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const reply = one({ id: params.id, deleted: true as const });
      if (before.status !== 'pending' || !row)
        return { write: [removeConfirmation(before)], reply };
      const change = { status: 'on-hold', note: 'The payment confirmation was deleted.' } as const;
      const request = { actor: principal.actor, ifMatch: undefined, now };
      const plan = planStatus(loaded, change, request);
      if (isRefusal(plan)) return plan;
      return {
        write: [holdOrder(row.order), removeConfirmation(before), ...plan.write],
        events: plan.events,
        reply,
      };
    },
  }),
);
