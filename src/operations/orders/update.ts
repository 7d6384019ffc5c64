import { quotableTotal } from '../../domain/checkout/quoted-order.ts';
import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { figuresOf } from '../../domain/payment/figures.ts';
import { ChangedOrder } from '../../domain/order/schemas.ts';
import { OrderUpdate } from '../../domain/order/request-schemas.ts';
import { decideUpdate } from '../../domain/purchase/update.ts';
import { requireFreshChange } from '../../actions/refunds/sign-in.ts';
import { changedOrder, loadOrderChange } from '../../actions/orders/change.ts';

export const updateOrderEndpoint = endpoint({
  id: 'orders.update',
  route: ['PATCH /orders/:id', 'PUT /orders/:id', 'POST /orders/:id'],
  summary: 'Update an order',
  description:
    "Changes only the fields you send. `next_statuses` lists the statuses the order may change to; sending its current status changes nothing and returns `changed: false`. A cancelled order can be reopened only while its buyer and its product exist, enough units are left, its coupon has uses left, `limit_buy_time` has passed since the buyer's last other order of the product, a trial is still the buyer's first order of it, and its subscription was neither cancelled nor ended longer ago than `max_renewal`. The subscription of a renewal must also have a paid term. Whether the product is published, who may buy it, and the dates of the coupon are not checked again. A paid order cannot go back to waiting for payment while the payment provider has the money: 409 `order_has_payment`; cancel it first, which gives the money back. If a bank transfer paid it, the transfer is `open` again. A new quantity is priced by what was agreed when the order was placed, not by today's product and coupon. The total, quantity, gateway and affiliate of a refunded or cancelled order cannot change: 409 `order_closed`.",
  access: apiKey('orders:write'),
  effect: 'write',
  fresh: 'decided',
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
    'order_has_payment',
    'order_payment_reversed',
    'out_of_stock',
    'purchase_too_soon',
    'tryout_used',
    ...reactionErrors,
  ],
}).handle(async ({ params, body, db, principal, config, ifMatch, now }) => {
  const redirects = await loadGateways(config);
  return db.change({
    load: (again: DrawState | undefined) => loadOrderChange(params.id, body, again?.due, now),
    decide: (loaded, again) => {
      const tries = again?.tries ?? 0;
      const updated = decideUpdate(loaded, body, {
        actor: principal.actor,
        ifMatch,
        now,
        redirects,
        figures: figuresOf(loaded.figures),
        draw: { chance: Math.random(), lost: tries },
      });
      if (isRefusal(updated)) return updated;
      requireFreshChange(principal, updated);
      const due = quotableTotal(updated.row.order);
      return changedOrder(updated, loaded, body, { due, tries: tries + 1 });
    },
  });
});

/** Facts for the next try, if another change took the transfer amount or changed the state. */
interface DrawState {
  readonly due: number;
  readonly tries: number;
}
