import { apiKey } from '../../auth/access.ts';
import { nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { collection, one } from '../../http/envelope.ts';
import { isRefusal, refuse } from '../../http/errors.ts';
import { IdParams } from '../../http/parameters.ts';
import { effectErrors } from '../orders/effects.ts';
import { loadOrderUpdate, planUpdate } from '../orders/plan.ts';
import { findOrder } from '../orders/queries.ts';
import { toOrder } from '../orders/rules.ts';
import { decideRefund } from '../orders/update.ts';
import { refundOf } from './order-effect.ts';
import { findRefunds } from './queries.ts';
import { Refund, RefundCreate, RefundReply } from './schemas.ts';

export const listRefunds = endpoint({
  id: 'refunds.list',
  route: ['GET /orders/:id/refunds'],
  summary: 'List the refunds of an order',
  description:
    'Newest first, whatever made them: refunds, statuses, cancellations. Those without `reopened_at` sum to `refunded_total` of the order.',
  access: apiKey('orders:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, collection(Refund)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found, refunds } = await db.query({
    found: findOrder(params.id),
    refunds: findRefunds(params.id),
  });
  return found[0] ? one(refunds) : refuse('rest_not_found');
});

export const createRefund = endpoint({
  id: 'refunds.create',
  route: ['POST /orders/:id/refunds'],
  summary: 'Give money back on an order',
  description:
    'A part, or all that is left. The order becomes `refunded` when everything is given back.',
  access: apiKey('orders:write'),
  effect: 'write',
  conditional: true,
  params: IdParams,
  body: RefundCreate,
  reply: [201, RefundReply],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'nothing_payable',
    'refund_exceeds_paid',
    'out_of_stock',
    ...effectErrors,
  ],
}).handle(async ({ params, body, db, principal, ifMatch, now }) =>
  db.change({
    load: loadOrderUpdate(params.id),
    decide: (loaded) => {
      const request = { actor: principal.actor, ifMatch, now };
      const updated = decideRefund(loaded, body, request);
      if (isRefusal(updated)) return updated;
      const plan = planUpdate(updated, loaded);
      if (isRefusal(plan)) return plan;
      const drawn = (loaded as Record<string, unknown>)['refunds.id'];
      const refund = updated.change && refundOf(updated.change, nextId(drawn as never));
      if (!refund) return refuse('nothing_payable');
      return { ...plan, reply: one({ refund, order: toOrder(updated.row) }) };
    },
  }),
);
