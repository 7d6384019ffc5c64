import { addSeconds } from '../lib/instant.ts';
import { reaction } from './reaction.ts';
import type { OrderColumns } from '../schema/orders.ts';
import { isUnpaid } from '../domain/order/transitions.ts';
import { claimFigure, holdFigure } from '../queries/transfer-figures.ts';

/** The figure an order waits for by transfer; null where it waits for none of its own. */
const figureOf = (order: OrderColumns | null) =>
  order !== null && order.unique_code !== 0 && isUnpaid(order.status) ? order.grand_total : null;

/**
 * An order with a transfer code has its figure until it is paid or cancelled, and for some days after:
 * a transfer that comes late is not to be taken for another order's.
 */
export const transferFigure = reaction({
  errors: ['transfer_figure_taken'],
  load: () => ({}),
  decide: ({ before, after, settings, now }) => {
    if (figureOf(before) === figureOf(after)) return { write: [] };
    const until = addSeconds(now.toISOString(), settings.transfer_hold_days * 86_400);
    return {
      write: [
        ...(figureOf(before) === null ? [] : [holdFigure(after, until)]),
        ...(figureOf(after) === null ? [] : claimFigure(after, now)),
      ],
    };
  },
});
