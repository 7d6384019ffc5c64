import { addSeconds } from '../lib/instant.ts';
import { reaction } from './reaction.ts';
import type { OrderColumns } from '../schema/orders.ts';
import { isUnpaid } from '../domain/order/transitions.ts';
import { isTransferred } from '../domain/order/gateways.ts';
import { claimFigure, freeFigure, holdFigure } from '../queries/transfer-figures.ts';

/** The figure an order waits for by transfer; null where it waits for none of its own. */
const figureOf = (order: OrderColumns | null) =>
  order !== null && order.unique_code !== 0 && isUnpaid(order.status) ? order.grand_total : null;

/** Whether the money that an order waited for came, as far as the order says. */
const isSettled = (before: OrderColumns, { paid_at, payment_gateway, grand_total }: OrderColumns) =>
  paid_at !== null && isTransferred(payment_gateway) && grand_total === before.grand_total;

/**
 * An order with a transfer code has its figure until it is paid. Where it stops waiting for it unpaid
 * (cancelled, deleted, paid another way, of another total) it keeps it for some days: a transfer that
 * comes late is not to be taken for another order's.
 */
export const transferFigure = reaction({
  errors: ['transfer_figure_taken'],
  load: () => ({}),
  decide: ({ before, after, settings, takesOver, now }) => {
    if (figureOf(before) === figureOf(after)) return { write: [] };
    const until = addSeconds(now.toISOString(), settings.transfer_hold_days * 86_400);
    const left = (was: OrderColumns) =>
      isSettled(was, after) ? freeFigure(after, now) : holdFigure(after, until);
    return {
      write: [
        ...(before === null || figureOf(before) === null ? [] : left(before)),
        ...(figureOf(after) === null ? [] : claimFigure(after, takesOver, now)),
      ],
    };
  },
});
