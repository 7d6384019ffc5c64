import { type Instant, addSeconds } from '../lib/instant.ts';
import { reaction } from './reaction.ts';
import type { OrderColumns } from '../schema/orders.ts';
import { isUnpaid } from '../domain/order/transitions.ts';
import { isTransferred } from '../domain/order/gateways.ts';
import {
  reserveAmount,
  releaseAmount,
  holdAmount,
  holdTotal,
  lagSeconds,
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
 * An order with a transfer code reserves its amount until its transfer is reported. If it stops waiting without one
 * (cancelled, deleted, marked paid by hand, paid another way, with another total), the reservation lasts for some time, so
 * that a late transfer isn't taken for another order's. Totals without a code are reserved in the same way.
 */
export const transferAmount = reaction({
  errors: ['transfer_figure_taken'],
  load: () => ({}),
  decide: ({ before, after, settings, takesOver, now }) => {
    const holdSeconds = settings.transfer_hold_days * 86_400;
    const at = now.toISOString();
    const left = (was: OrderColumns) =>
      isSettled(was, after)
        ? [...releaseAmount(after, now), ...holdAmount(was, addSeconds(at, lagSeconds))]
        : holdAmount(was, addSeconds(at, holdSeconds));
    const isSame = figureOf(before) === figureOf(after);
    const until = before && lateUntil(before, after, at, holdSeconds);
    return {
      write: [
        ...(isSame || before === null || figureOf(before) === null ? [] : left(before)),
        ...(isSame || figureOf(after) === null ? [] : reserveAmount(after, takesOver, now)),
        ...(before && until ? [holdTotal(before, until)] : []),
      ],
    };
  },
});

/** The time until which a transfer may come that the changed order no longer shows; undefined if it shows it. */
function lateUntil(
  before: OrderColumns,
  after: OrderColumns,
  at: Instant,
  holdSeconds: number,
): Instant | undefined {
  if (!isTransferred(before.payment_gateway) || before.grand_total === 0) return undefined;
  const isSame =
    before.grand_total === after.grand_total && before.payment_gateway === after.payment_gateway;
  if (isUnpaid(before.status)) {
    if (before.unique_code !== 0 || tellsOfTransfer(before, after)) return undefined;
    return isSame && plainTotalOf(after) !== null ? undefined : addSeconds(at, holdSeconds);
  }
  const isCancelled = after.cancelled_at !== null && before.cancelled_at === null;
  if (isCancelled) return addSeconds(at, holdSeconds);
  return isSame ? undefined : knownUntil(before, holdSeconds);
}

/** The time until which a paid or closed order tells of its transfer. */
function knownUntil(
  { paid_at, cancelled_at }: OrderColumns,
  holdSeconds: number,
): Instant | undefined {
  const times = [
    ...(paid_at === null ? [] : [addSeconds(paid_at, lagSeconds)]),
    ...(cancelled_at === null ? [] : [addSeconds(cancelled_at, holdSeconds)]),
  ];
  return times.toSorted().at(-1);
}
