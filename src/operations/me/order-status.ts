import { sendIf } from '../../kernel/database/statements.ts';
import { mayDrawCode } from '../../domain/purchase/payable.ts';
import { figuresOf } from '../../domain/payment/figures.ts';
import { findFiguresNearOrder } from '../../queries/transfer-figures.ts';
import { admin } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one } from '../../kernel/endpoint/envelope.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadOrderUpdate, planMove } from '../../reactions/plan.ts';
import { toOrder } from '../../domain/order/rules.ts';
import { ChangedOrder } from '../../domain/order/schemas.ts';
import { decideStatus, hasMoved } from '../../domain/purchase/update.ts';
import { OrderStatusChange } from './schemas.ts';

export const changeOrderStatus = endpoint({
  id: 'me.orderStatus',
  route: ['PATCH /me/orders/:id/status', 'POST /me/orders/:id/status'],
  summary: 'Change the status of an order',
  description:
    'For administrators. `next_statuses` lists the statuses the order may change to; sending its current status changes nothing and returns `changed: false`. A cancelled order can be reopened only if it could be placed now.',
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
    ...reactionErrors,
  ],
}).handle(async ({ principal, params, body, db, ifMatch, now }) =>
  db.change({
    load: {
      ...loadOrderUpdate(params.id),
      figures: sendIf(mayDrawCode(body), () => findFiguresNearOrder(params.id, {}, undefined, now)),
    },
    decide: (loaded) => {
      const updated = decideStatus(loaded, body, {
        actor: principal.actor,
        ifMatch,
        now,
        takenFigures: figuresOf(loaded.figures),
        chance: Math.random(),
      });
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
