import { type Refusal, refuse } from '../../kernel/errors/errors.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { sumOfParts } from '../order/rules.ts';
import type { OrderUpdate } from '../order/request-schemas.ts';
import { isUnpaid } from '../order/transitions.ts';
import { isTransferred } from '../order/gateways.ts';
import { type PaymentState, transferCode } from '../payment/acceptance.ts';
import { noFigures } from '../pricing/unique-code.ts';

/** Calculates the total from its parts again. An earlier override stays. */
export const totalled = (order: OrderColumns): OrderColumns => ({
  ...order,
  grand_total: sumOfParts(order) + order.adjustment_total,
});

/** Sets a manual total. A total of 0 waits for no transfer, so it has no code. */
export function overridden(before: OrderColumns, grand_total: number): OrderColumns {
  const order = { ...before, ...(grand_total === 0 && { unique_code: 0 }) };
  return { ...order, grand_total, adjustment_total: grand_total - sumOfParts(order) };
}

type CodeState = Pick<PaymentState, 'settings' | 'figures' | 'draw'>;
type CodeRefusal = Refusal<'transfer_figure_taken'>;

/**
 * Gives the order its transfer code. An order that starts to wait for a transfer, or for another total, keeps its code
 * while the amount is free. Otherwise it gets another code, or none if none is left. An order that waits for no
 * transfer loses its code if it is paid in another way, or if a total is set, which then contains no code. Otherwise a
 * paid order keeps its code.
 * @param said the total in the update: the amount to transfer, including the code
 */
export function withCode(
  before: OrderColumns,
  order: OrderColumns,
  said: number | undefined,
  state: CodeState,
): OrderColumns | CodeRefusal {
  if (!awaitsTransfer(order))
    return hasLostCode(before, order, said) ? coded(order, 0, said) : order;
  if (awaitsTransfer(before) && order.grand_total === before.grand_total) return order;
  return said === undefined ? withFreeCode(order, state) : withSaidTotal(order, said, state);
}

const hasLostCode = (
  before: OrderColumns,
  { unique_code, payment_gateway }: OrderColumns,
  said = before.grand_total,
) => unique_code !== 0 && (!isTransferred(payment_gateway) || said !== before.grand_total);

function withFreeCode(order: OrderColumns, state: CodeState): OrderColumns {
  const { unique_code, grand_total, payment_gateway } = order;
  const isFree = grand_total > 0 && !state.figures.taken.includes(grand_total);
  if (unique_code !== 0 && isFree) return order;
  const code = transferCode(state, payment_gateway, grand_total - unique_code);
  return coded(order, code, undefined);
}

function withSaidTotal(
  order: OrderColumns,
  said: number,
  state: CodeState,
): OrderColumns | CodeRefusal {
  // The total must be free. The code may be that of another order.
  const any = { ...state, figures: noFigures };
  const code = order.unique_code || transferCode(any, order.payment_gateway, said);
  if (code !== 0 && state.figures.taken.includes(said)) return refuse('transfer_figure_taken');
  return coded(order, code, said);
}

function coded(order: OrderColumns, unique_code: number, said: number | undefined): OrderColumns {
  const next = { ...order, unique_code };
  return said === undefined ? totalled(next) : overridden(next, said);
}

/** Tells if an update can make an order wait for a transfer or another amount. */
export const mayDrawCode = ({ status, payment_gateway, quantity, grand_total }: OrderUpdate) =>
  status === 'on-hold' ||
  [payment_gateway, quantity, grand_total].some((value) => value !== undefined);

// Also true if only the total without the code is positive: the order then gets a new code.
const awaitsTransfer = ({ status, payment_gateway, grand_total, unique_code }: OrderColumns) =>
  isUnpaid(status) &&
  isTransferred(payment_gateway) &&
  Math.max(grand_total, grand_total - unique_code) > 0;
