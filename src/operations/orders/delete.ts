import {
  apiKey,
  deleted,
  Deleted,
  deletedRecord,
  endpoint,
  IdParams,
} from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { reactionErrors } from '../../reactions/index.ts';
import { orderEvent } from '../../domain/order/events.ts';
import { findStoredOrder } from '../../queries/orders.ts';
import { eraseOrder } from '../../queries/order-writes.ts';
import { loadOrderUpdate, planHiding } from '../../reactions/plan.ts';
import { OrderDelete, OrderDeleteBody } from '../../domain/order/request-schemas.ts';
import { isErasable } from '../../domain/purchase/update.ts';

export const deleteOrder = endpoint({
  id: 'orders.delete',
  route: ['DELETE /orders/:id'],
  summary: 'Delete an order',
  description:
    'Hides the order from every list and total. Unless it is cancelled or refunded already, everything that followed from it is undone, as by a cancellation: stock and the use of the coupon are returned, access, licences and subscription time end, the money counts as refunded, and commissions are cancelled; those already paid out are deducted from the next payout. Deleting alone sends no money. While money for the order is at a payment provider, `orders:write` is required as well, and the provider then gives the total back; without this scope, the answer is 409 `order_has_payment`. Money that came in another way is paid back by hand. With `force=true`, in the query or the body, a cancelled order on which no money moved is erased instead, even if it was hidden before. The only order of a subscription with the sign-up fee stays if a term was ordered without it: the next order has the fee.',
  access: apiKey('orders:delete'),
  effect: 'write',
  fresh: 'decided',
  params: IdParams,
  query: OrderDelete,
  body: OrderDeleteBody,
  reply: [200, Deleted],
  errors: [
    'rest_not_found',
    'order_has_payment',
    'order_payment_reversed',
    'order_not_erasable',
    'out_of_stock',
    ...reactionErrors,
  ],
}).handle(async ({ params, query, body, db, principal, ifMatch, now }) => {
  const reply = deleted(params.id);
  const event = orderEvent('order.deleted', deletedRecord(params.id));
  if (query.force ?? body.force) {
    return db.change({
      load: { found: findStoredOrder(params.id) },
      decide: ({ found }) => {
        const row = current(found, ifMatch, 'order');
        if (isRefusal(row)) return row;
        if (!isErasable(row.order)) return refuse('order_not_erasable');
        // The event of a hidden order was raised when it was hidden.
        const events = row.order.deleted_at === null ? [event] : [];
        return { write: eraseOrder(row.order), events, reply };
      },
    });
  }
  return db.change({
    load: loadOrderUpdate(params.id),
    decide: (loaded) => {
      const row = current(loaded.found, ifMatch, 'order');
      if (isRefusal(row)) return row;
      if (row.order.paid_at !== null) principal.requireFresh(now);
      const request = { actor: principal.actor, ifMatch, now };
      const plan = planHiding(row.order, loaded, principal.has('orders:write'), request);
      if (isRefusal(plan)) return plan;
      return { write: plan.write, events: [...plan.events, event], reply };
    },
  });
});
