import { type Instant, addSeconds } from '../lib/instant.ts';
import type { Statement } from '../kernel/database/statements.ts';
import { reaction } from './reaction.ts';
import type { OrderColumns } from '../schema/orders.ts';
import { isUnpaid } from '../domain/order/transitions.ts';
import { isTransferred } from '../domain/order/gateways.ts';
import {
  reserveAmount,
  releaseAmount,
  holdAmount,
  holdTotal,
  releaseTotal,
} from '../queries/transfer-figures.ts';

/** The order's own amount for a transfer; null without one. */
const figureOf = (order: OrderColumns | null) =>
  order !== null && order.unique_code !== 0 && isUnpaid(order.status) ? order.grand_total : null;

const isSettled = (before: OrderColumns, { paid_at, payment_gateway, grand_total }: OrderColumns) =>
  paid_at !== null && isTransferred(payment_gateway) && grand_total === before.grand_total;

/** The total that an order without a code waits for by transfer. */
const plainTotalOf = (order: OrderColumns | null) =>
  order !== null &&
  order.unique_code === 0 &&
  order.grand_total > 0 &&
  isTransferred(order.payment_gateway) &&
  isUnpaid(order.status)
    ? order.grand_total
    : null;

/** True if a paid or closed order still shows its expected transfer. */
const tellsOfTransfer = (before: OrderColumns, after: OrderColumns) =>
  !isUnpaid(after.status) &&
  isTransferred(after.payment_gateway) &&
  after.grand_total === before.grand_total;

/**
 * An order with a transfer code reserves its amount until it is paid. If it stops waiting unpaid (cancelled, deleted,
 * paid another way, with another total), the reservation lasts for some days, so that a late transfer isn't taken for
 * another order's. Totals without a code are reserved in the same way.
 */
export const transferAmount = reaction({
  errors: ['transfer_figure_taken'],
  load: () => ({}),
  decide: ({ before, after, settings, takesOver, now }) => {
    const until = addSeconds(now.toISOString(), settings.transfer_hold_days * 86_400);
    const left = (was: OrderColumns) =>
      isSettled(was, after) ? releaseAmount(after, now) : holdAmount(after, until);
    const isSame = figureOf(before) === figureOf(after);
    return {
      write: [
        ...(isSame || before === null || figureOf(before) === null ? [] : left(before)),
        ...(isSame || figureOf(after) === null ? [] : reserveAmount(after, takesOver, now)),
        ...(before === null ? [] : holdPlainTotal(before, after, until, now)),
      ],
    };
  },
});

/** Reserves the total of an order without a code, and frees its earlier one. */
function holdPlainTotal(
  before: OrderColumns,
  after: OrderColumns,
  until: Instant,
  now: Date,
): Statement[] {
  if (plainTotalOf(before) === plainTotalOf(after)) return [];
  return [
    ...(plainTotalOf(before) === null || tellsOfTransfer(before, after)
      ? []
      : [holdTotal(before, until)]),
    ...(plainTotalOf(after) === null ? [] : [releaseTotal(after, now)]),
  ];
}
