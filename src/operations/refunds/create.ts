import { apiKey } from '../../kernel/auth/access.ts';
import { nextId } from '../../kernel/database/statements.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/endpoint/envelope.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadOrderUpdate, planUpdate } from '../../reactions/plan.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { decideRefund } from '../../domain/purchase/update.ts';
import { firstState, shownRefund } from '../../domain/refund/rules.ts';
import { refundOf } from '../../reactions/refunds.ts';
import { RefundCreate, RefundReply } from '../../domain/refund/schemas.ts';

export const createRefund = endpoint({
  id: 'refunds.create',
  route: ['POST /orders/:id/refunds'],
  summary: 'Refund an order',
  description:
    'Refunds part of what was paid, or all that is left. When everything has been refunded, the order becomes `refunded`. Money that came through a payment provider which can give it back is sent back by that provider, shortly afterwards; `state` tells how far that is.',
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
    ...reactionErrors,
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
      const { id, paidBy } = loaded.reactions.refunds;
      const row = updated.change && refundOf(updated.change, nextId(id));
      if (!row) return refuse('nothing_payable');
      const refund = shownRefund(row, firstState(paidBy[0], false));
      return { ...plan, reply: one({ refund, order: toOrder(updated.row) }) };
    },
  }),
);
