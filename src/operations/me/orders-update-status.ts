import { figuresOf } from '../../domain/payment/figures.ts';
import { admin, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { ChangedOrder } from '../../domain/order/schemas.ts';
import { decideStatus } from '../../domain/purchase/update.ts';
import { changedOrder, loadOrderChange } from '../../actions/orders/change.ts';
import { OrderStatusChange } from '../../actions/me/schemas.ts';

export const changeOrderStatus = endpoint({
  id: 'me.orders.updateStatus',
  route: ['PATCH /me/orders/:id/status', 'POST /me/orders/:id/status'],
  summary: 'Change the status of an order',
  description:
    'For administrators. `next_statuses` lists the statuses the order may change to; sending its current status changes nothing and returns `changed: false`. A cancelled order can be reopened under the conditions of `PATCH /orders/{id}`. A paid order cannot go back to `on-hold` while the payment provider has the money: 409 `order_has_payment`.',
  access: admin(),
  effect: 'write',
  params: IdParams,
  body: OrderStatusChange,
  reply: [200, ChangedOrder],
  errors: [
    'rest_not_found',
    'rest_invalid_param',
    'rest_invalid_transition',
    'order_has_payment',
    'order_payment_reversed',
    'out_of_stock',
    'purchase_too_soon',
    'tryout_used',
    ...reactionErrors,
  ],
}).handle(async ({ principal, params, body, db, ifMatch, now }) => {
  return db.change({
    load: loadOrderChange(params.id, body, undefined, now),
    decide: (loaded, tries: number = 0) => {
      const updated = decideStatus(loaded, body, {
        actor: principal.actor,
        ifMatch,
        now,
        figures: figuresOf(loaded.figures),
        draw: { chance: Math.random(), lost: tries },
      });
      return changedOrder(updated, loaded, body, tries + 1);
    },
  });
});
