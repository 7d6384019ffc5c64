import type { Actor } from '../../kernel/auth/actor.ts';
import { type Refusal, current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { withoutUndefined, isSame } from '../../lib/objects.ts';
import type { OrderStatus } from '../../schema/lists.ts';
import type { CouponRow } from '../coupon/rules.ts';
import type { PaymentState } from '../payment/acceptance.ts';
import { firstDraw, noFigures } from '../pricing/unique-code.ts';
import {
  type BookedPayment,
  isMoneyThere,
  isRestThere,
  madeThere,
  splitRefund,
} from '../payment/refunds.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { type ProductRow, unitsLeft } from '../product/rules.ts';
import type { Person } from '../user/rules.ts';
import { type StockClaim, exceedsStock, holdsStock, stockClaims, stockCounters } from './create.ts';
import type { OrderChange } from '../order/change.ts';
import { type FieldRefusal, type RevisionState, revisedOrder, withDetails } from './revision.ts';
import { handledType } from '../order/instalment.ts';
import { type OrderRow, historyEntry } from '../order/rules.ts';
import { type OrderColumns } from '../../schema/orders.ts';
import type { OrderUpdate } from '../order/schemas.ts';
import {
  entered,
  expiry,
  isReopening,
  isTakenBack,
  statusGroup,
  statusWhenPaid,
  transition,
} from '../order/transitions.ts';
import { withCode } from './payable.ts';
import { nextVersion } from '../../lib/versions.ts';

/** The rows that an update of an order is decided on. */
export interface LoadedUpdate {
  readonly found: OrderRow[];
  readonly product: ProductRow[];
  readonly settings: SettingsRow[];
  readonly buyer: Person[];
  /** The affiliate the update names. */
  readonly named: Person[];
  /** The affiliate, if they have bought the product. */
  readonly customers: { id: number }[];
  /** The coupon the order uses. */
  readonly coupon: CouponRow[];
  /** The payment at a provider that paid it. */
  readonly paidBy: BookedPayment[];
}

interface UpdateState extends RevisionState {
  readonly row: OrderRow;
  readonly paidBy: BookedPayment | undefined;
  readonly coupon: CouponRow | undefined;
}

/** The author and time of an update, and the version that it expects, if any. */
export interface UpdateRequest {
  readonly actor: Actor;
  readonly ifMatch: number | undefined;
  readonly now: Date;
  /** The redirect gateways that are on, where the update may name one. */
  readonly redirects?: PaymentState['redirects'];
  /** Figures that other orders have, where the update may draw a code. */
  readonly figures?: PaymentState['figures'];
  readonly draw?: PaymentState['draw'];
  /** True if the payment provider has already returned the money of a refund. */
  readonly refundedThere?: boolean;
}

/** An order's next state, its history entry and what it takes from the stock or gives back. */
export interface Update {
  /** The version it was decided on; the next state's own where nothing is to be written. */
  readonly version: number;
  readonly row: OrderRow;
  readonly history: ReturnType<typeof historyEntry>[];
  /** Units to take (positive, all or nothing) or to give back (negative) by counter. */
  readonly claims: StockClaim[];
  /** The change that reactions follow; undefined if nothing changes. */
  readonly change: OrderChange | undefined;
}

type StateRefusal = Refusal<'rest_not_found' | 'rest_conflict'>;
type MoveRefusal = Refusal<
  'rest_invalid_param' | 'rest_invalid_transition' | 'out_of_stock' | 'transfer_figure_taken'
>;

/** Decides an update: the fields first, then the change of status. */
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

/** Tells if a paid order would cost more than was paid: nobody would pay the difference. */
const isRaisedWhilePaid = (before: OrderColumns, after: OrderColumns) =>
  before.paid_at !== null && after.paid_at !== null && after.grand_total > before.grand_total;

/** Decides a change of status alone, with the number of the parcel where one is sent. */
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

/** Decides what a payment does that came through a provider: the order is paid, by that gateway. */
export function decidePayment(
  loaded: LoadedUpdate,
  gateway: string,
  request: UpdateRequest,
): Update | StateRefusal | MoveRefusal {
  const state = readState(loaded, request);
  if (isRefusal(state)) return state;
  const revised = { ...state.row.order, payment_gateway: gateway };
  const status = statusWhenPaid(handledType(revised, state.product.product));
  return move(state, revised, { status, note: `Paid by ${gateway}.` }, request);
}

/** Decides a refund of a part, or of all that is left: then the order becomes refunded. */
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
  const revised = { ...order, refunded_total: order.refunded_total + given };
  const status = given === left ? 'refunded' : order.status;
  return move(state, revised, { status, note: reason }, request);
}

/**
 * Decides what a deletion does to an order that isn't closed: it is cancelled from whatever status it
 * has, with all that follows from a cancellation, and hidden.
 * @param maySendMoney says that the caller may have a provider give money back
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

export interface StatusChange extends Move {
  readonly tracking_number?: string | undefined;
}

interface Move {
  readonly status: OrderStatus;
  /** Kept in the history. */
  readonly note?: string | undefined;
  /** The total that is said. */
  readonly total?: number | undefined;
}

function readState(
  loaded: LoadedUpdate,
  { ifMatch, redirects = [], figures = noFigures, draw = firstDraw }: UpdateRequest,
): UpdateState | StateRefusal {
  const [product] = loaded.product;
  const [settings] = loaded.settings;
  const [buyer] = loaded.buyer;
  if (!product || !settings || !buyer) return refuse('rest_not_found');
  const row = current(loaded.found, ifMatch, 'order');
  if (isRefusal(row)) return row;
  return {
    row,
    product,
    settings,
    buyer,
    named: loaded.named[0],
    redirects,
    figures,
    draw,
    customers: loaded.customers.map(({ id }) => id),
    coupon: loaded.coupon[0],
    paidBy: loaded.paidBy[0],
  };
}

const unchanged = ({ row }: UpdateState): Update => ({
  version: row.order.version,
  row,
  history: [],
  claims: [],
  change: undefined,
});

/** A revised order in the status asked for, with what follows from both. */
function move(
  state: UpdateState,
  revised: OrderColumns,
  { status, note, total }: Move,
  request: UpdateRequest,
): Update | MoveRefusal {
  const { product, settings } = state;
  const type = handledType(revised, product.product);
  const context = { type, autoCancelDays: settings.auto_cancel_days, now: request.now };
  const moved = transition(revised, status, context);
  if (isRefusal(moved)) return moved;
  if (product.product.deleted_at !== null && isReopening(revised, moved)) {
    return refuse('rest_invalid_transition', {
      message: 'The order may not be reopened: its product was deleted.',
      data: { from: revised.status, to: status, allowed: [] },
    });
  }
  const coded = withCode(state.row.order, moved, total, state);
  if (isRefusal(coded)) return coded;
  if (leavesNothing(coded)) {
    return refuse('rest_invalid_param', {
      params: { grand_total: `must be more than the ${coded.refunded_total} refunded` },
    });
  }
  const waits = waitsAnew(state.row.order, coded)
    ? { ...coded, expires_at: expiry(request.now.toISOString(), settings.auto_cancel_days) }
    : coded;
  return followed(state, waits, note, request);
}

/** Returns whether an order that goes on would cost no more than was refunded of it. */
const leavesNothing = ({ status, refunded_total, grand_total }: OrderColumns): boolean =>
  statusGroup(status) !== 'closed' && refunded_total > 0 && grand_total <= refunded_total;

/** True if a free order now costs something: its time to be paid starts then. */
const waitsAnew = (before: OrderColumns, after: OrderColumns) =>
  before.grand_total === 0 && after.grand_total > 0 && after.status === 'on-hold';

/** An order as it becomes, with what follows from that. */
function followed(
  state: UpdateState,
  moved: OrderColumns,
  note: string | undefined,
  { actor, now, refundedThere = false }: UpdateRequest,
): Update | Refusal<'out_of_stock'> {
  const { row, product, settings, buyer, coupon, named, paidBy, figures } = state;
  const before = row.order;
  const order = {
    ...moved,
    // An order that takes units again, or takes others, uses the counters that the product has now.
    ...((!holdsStock(before, settings) || moved.quantity !== before.quantity) && {
      stock_counters: stockCounters(product, moved),
    }),
    ...nextVersion(before, now),
  };
  const claims = stockMoves(before, order, state);
  if (exceedsStock(claims, product)) return refuse('out_of_stock');
  const said = note ?? unsaidTotal(before, order);
  const sameAffiliate = order.affiliate_id === before.affiliate_id;
  return {
    version: before.version,
    row: {
      ...row,
      order,
      affiliate: sameAffiliate ? row.affiliate : order.affiliate_id ? (named ?? null) : null,
    },
    history: isNoted(before, order, said)
      ? [historyEntry(order, before.status, actor, said, now)]
      : [],
    claims,
    change: {
      before,
      after: order,
      product: product.product,
      buyer,
      coupon,
      settings,
      actor,
      note: note ?? null,
      refund: refundIn(before, order, paidBy, refundedThere),
      takesOver: figures.held.includes(order.grand_total),
      now,
    },
  };
}

/** The money that a change gives back, if any. */
function refundIn(
  before: OrderColumns,
  after: OrderColumns,
  paidBy: BookedPayment | undefined,
  refundedThere: boolean,
) {
  const amount = after.refunded_total - before.refunded_total;
  if (amount <= 0) return undefined;
  return refundedThere && paidBy ? madeThere(amount, paidBy.session) : splitRefund(amount, paidBy);
}

/** True if the history shows a change: each one of the status, and one of the total that has a reason. */
const isNoted = (before: OrderColumns, after: OrderColumns, note: string | null): boolean =>
  after.status !== before.status || (note !== null && after.grand_total !== before.grand_total);

/** The note of a changed total without a reason, if the order was paid. */
const unsaidTotal = (before: OrderColumns, after: OrderColumns): string | null =>
  after.grand_total !== before.grand_total && (before.paid_at ?? after.paid_at) !== null
    ? `Total changed from ${before.grand_total} to ${after.grand_total}.`
    : null;

/** Tells if an order would wait for its payment anew while money that paid it is at its provider. */
export const forgetsPayment = (
  { change }: Update,
  { paidBy: [payment] }: Pick<LoadedUpdate, 'paidBy'>,
): boolean => {
  if (!change?.before || !payment || change.after.paid_at !== null) return false;
  return isTakenBack(change)
    ? isMoneyThere(payment)
    : isReopening(change.before, change.after) && isRestThere(payment, change.before.grand_total);
};

export const hasMoved = ({ change }: Update): boolean =>
  change !== undefined && change.before?.status !== change.after.status;

/** The difference between what an order held of the stock and what it holds now. */
function stockMoves(before: OrderColumns, after: OrderColumns, state: UpdateState): StockClaim[] {
  const units = new Map<string, number>();
  for (const claim of stockClaims(before, state.settings)) {
    units.set(claim.option_id, -claim.units);
  }
  for (const claim of stockClaims(after, state.settings)) {
    units.set(claim.option_id, (units.get(claim.option_id) ?? 0) + claim.units);
  }
  return [...units]
    .filter(
      ([option_id, moved]) => moved !== 0 && unitsLeft(state.product.stock, option_id) !== null,
    )
    .map(([option_id, moved]) => ({ option_id, units: moved }));
}

/** True for a cancelled order on which no money ever moved. */
export const isErasable = ({ status, paid_at, refunded_total }: OrderColumns) =>
  statusGroup(status) === 'closed' && paid_at === null && refunded_total === 0;
