import { type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { withoutUndefined, isSame } from '../../lib/objects.ts';
import { hasMoneyBesideReversed, isMoneyThere, isRestThere } from '../payment/refunds.ts';
import { isReversed } from '../payment/sessions.ts';
import { type FieldRefusal, revisedOrder, withDetails } from './revision.ts';
import { totalled } from './payable.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import { handledType } from '../order/instalment.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { OrderUpdate } from '../order/request-schemas.ts';
import {
  entered,
  isReopening,
  isTakenBack,
  statusGroup,
  statusWhenPaid,
} from '../order/transitions.ts';
import { type Move, type MoveRefusal, followed, move } from './move.ts';
import {
  type LoadedUpdate,
  type StateRefusal,
  type Update,
  type UpdateRequest,
  readState,
  unchanged,
} from './update-state.ts';

export interface StatusChange extends Move {
  readonly tracking_number?: string | undefined;
}

/** Decides the fields first, then the change of status. */
export function decideUpdate(
  loaded: LoadedUpdate,
  input: OrderUpdate,
  request: UpdateRequest,
): Update | StateRefusal | FieldRefusal | MoveRefusal {
  const state = readState(loaded, request);
  if (isRefusal(state)) return state;
  const { order } = state.row;
  const { status = order.status, reason } = input;
  const revised = revisedOrder(order, input, state);
  if (isRefusal(revised)) return revised;
  if (status === order.status && isSame(order, revised)) return unchanged(state);
  const change = { status, note: reason, total: input.grand_total };
  const updated = move(state, revised, change, request);
  if (isRefusal(updated)) return updated;
  return isRaisedWhilePaid(order, updated.row.order) ? refuse('order_not_unpaid') : updated;
}

/** Tells if a paid order's total would exceed its payment: nobody would pay the difference. */
const isRaisedWhilePaid = (before: OrderColumns, after: OrderColumns) =>
  before.paid_at !== null && after.paid_at !== null && after.grand_total > before.grand_total;

/** Adds a tracking number if the parcel is sent. */
export function decideStatus(
  loaded: LoadedUpdate,
  { tracking_number, ...change }: StatusChange,
  request: UpdateRequest,
): Update | StateRefusal | MoveRefusal {
  const state = readState(loaded, request);
  if (isRefusal(state)) return state;
  const { order } = state.row;
  const revised = withDetails(order, withoutUndefined({ tracking_number }));
  if (change.status === order.status && isSame(order, revised)) return unchanged(state);
  return move(state, revised, change, request);
}

/** Money that came for an order. */
export interface ReceivedMoney {
  /** The provider that reported it; undefined for a transfer. */
  readonly gateway?: string | undefined;
  /** Null in a foreign currency. */
  readonly amount: number | null;
  readonly note?: string | undefined;
}

export const moneyFrom = (
  { gateway }: { readonly gateway: string },
  amount: number,
): ReceivedMoney => ({
  ...{ gateway, amount },
  note: `Paid by ${gateway}.`,
});

/**
 * Pays an order with received money. Money of a provider changes the order's gateway to it, and a transfer changes payment
 * on delivery to `manual`.
 */
export function decidePayment(
  loaded: LoadedUpdate,
  { gateway, amount, note }: ReceivedMoney,
  request: UpdateRequest,
): Update | StateRefusal | MoveRefusal {
  const state = readState(loaded, request);
  if (isRefusal(state)) return state;
  const { order } = state.row;
  const transferred = isPaidOnDelivery(order.payment_gateway) ? 'manual' : order.payment_gateway;
  const revised = { ...withoutFee(order, amount), payment_gateway: gateway ?? transferred };
  const status = statusWhenPaid(handledType(revised, state.product.product));
  return move(state, revised, { status, note }, request);
}

/** The buyer pays no fee for cash on delivery, unless the amount contains it or the rest of the total is refunded. */
function withoutFee(order: OrderColumns, amount: number | null): OrderColumns {
  const less = totalled({ ...order, fee_total: 0 });
  return isPaidOnDelivery(order.payment_gateway) &&
    amount !== order.grand_total &&
    less.grand_total > order.refunded_total
    ? less
    : order;
}

/** Refunds a part or the rest. After the rest the order is refunded. */
export function decideRefund(
  loaded: LoadedUpdate,
  { amount, reason }: { amount?: number | undefined; reason?: string | undefined },
  request: UpdateRequest,
): Update | StateRefusal | MoveRefusal | Refusal<'nothing_payable' | 'refund_exceeds_paid'> {
  const state = readState(loaded, request);
  if (isRefusal(state)) return state;
  const { order } = state.row;
  const left = order.grand_total - order.refunded_total;
  if (order.paid_at === null || left === 0 || statusGroup(order.status) === 'closed') {
    return refuse('nothing_payable');
  }
  const given = amount ?? left;
  if (given > left) return refuse('refund_exceeds_paid', { data: { left } });
  if (given < left && state.paidBy && isReversed(state.paidBy.session)) {
    return refuse('refund_exceeds_paid', {
      message: 'The bank has taken this payment back. Refund all that is left, or nothing.',
      data: { left },
    });
  }
  const isRest = given === left;
  const revised = isRest ? order : { ...order, refunded_total: order.refunded_total + given };
  const status = isRest ? 'refunded' : order.status;
  return move(state, revised, { status, note: reason }, request);
}

/**
 * Hides an order. An open order is also cancelled, from any status.
 * @param maySendMoney true if the caller may have a provider refund money
 */
export function decideRemoval(
  loaded: LoadedUpdate,
  maySendMoney: boolean,
  request: UpdateRequest,
): Update | StateRefusal | Refusal<'out_of_stock' | 'order_has_payment'> {
  const state = readState(loaded, request);
  if (isRefusal(state)) return state;
  if (!maySendMoney && state.paidBy && isMoneyThere(state.paidBy)) {
    return refuse('order_has_payment', {
      message:
        'Deleting this order would send money back through its payment provider. Refund it first, or use an API key that has orders:write as well.',
    });
  }
  const at = request.now.toISOString();
  const hidden = { ...state.row.order, deleted_at: at };
  return followed(state, entered(hidden, 'cancelled', at), 'Deleted.', request);
}

/** Tells if an order would wait for payment again while its money is at the provider. */
export const forgetsPayment = (
  { change }: Update,
  { paidBy: [payment] }: Pick<LoadedUpdate, 'paidBy'>,
): boolean => {
  if (!change?.before || !payment || change.after.paid_at !== null) return false;
  return isTakenBack(change)
    ? isMoneyThere(payment)
    : isReopening(change.before, change.after) && isRestThere(payment, change.before.grand_total);
};

/** Tells if a refund would leave out the money that the store keeps for an order whose payment was reversed. */
export const leavesOtherMoney = (
  { change }: Update,
  { paidBy: [payment] }: Pick<LoadedUpdate, 'paidBy'>,
): boolean => change?.refund !== undefined && hasMoneyBesideReversed(payment);

export const hasMoved = ({ change }: Update): boolean =>
  change !== undefined && change.before?.status !== change.after.status;

/** Tells if a cancelled order never had any money. */
export const isErasable = ({ status, paid_at, refunded_total }: OrderColumns) =>
  statusGroup(status) === 'closed' && paid_at === null && refunded_total === 0;
