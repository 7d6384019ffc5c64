import { orderEffect } from '../orders/effect.ts';
import type { OrderColumns } from '../orders/rules.ts';
import { isUnpaid } from '../orders/transitions.ts';
import { claimFigure, releaseFigure } from './queries.ts';

/** The figure an order waits for by transfer; null where it waits for none of its own. */
const figureOf = (order: OrderColumns | null) =>
  order !== null && order.unique_code !== 0 && isUnpaid(order.status) ? order.grand_total : null;

/** An order with a transfer code holds its figure until it is paid or cancelled. */
export const payableEffect = orderEffect({
  name: 'payable',
  errors: ['transfer_figure_taken'],
  load: () => ({}),
  decide: ({ before, after }) => {
    if (figureOf(before) === figureOf(after)) return { write: [] };
    return {
      write: [
        ...(figureOf(before) === null ? [] : [releaseFigure(after)]),
        ...(figureOf(after) === null ? [] : [claimFigure(after)]),
      ],
    };
  },
});
