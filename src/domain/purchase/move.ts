import { nextVersion } from '../../lib/versions.ts';
import { type Refusal, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import type { OrderStatus } from '../../schema/lists.ts';
import { type BookedPayment, isMoneyThere, madeThere, splitRefund } from '../payment/refunds.ts';
import { unitsLeft } from '../product/rules.ts';
import { type StockClaim, exceedsStock, holdsStock, stockClaims, stockCounters } from './create.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import { handledType } from '../order/instalment.ts';
import { historyEntry } from '../order/rules.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { formatMoney } from '../../lib/money.ts';
import { expiry, isReopening, isTakenBack, statusGroup, transition } from '../order/transitions.ts';
import { withCode } from './payable.ts';
import type { Update, UpdateRequest, UpdateState } from './update-state.ts';

export type MoveRefusal = Refusal<
  'rest_invalid_param' | 'rest_invalid_transition' | 'out_of_stock' | 'transfer_figure_taken'
>;

export interface Move {
  readonly status: OrderStatus;
  readonly note?: string | undefined;
  /** The total in the update. */
  readonly total?: number | undefined;
}

/** Moves a revised order to the requested status, with all effects. */
export function move(
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
  const gone =
    (product.product.deleted_at !== null && 'product was deleted') ||
    (state.buyer.status === 'anonymised' && 'buyer was erased');
  if (gone && isReopening(revised, moved)) {
    return refuse('rest_invalid_transition', {
      message: `The order may not be reopened: its ${gone}.`,
      data: { from: revised.status, to: status, allowed: [] },
    });
  }
  const coded = withCode(state.row.order, withoutReturned(moved, state), total, state);
  if (isRefusal(coded)) return coded;
  // A new status must not hide what the new total does to the refunds.
  const bare = [revised, coded].find(leavesNothing);
  if (bare) {
    return refuse('rest_invalid_param', {
      params: { grand_total: `must be more than the ${bare.refunded_total} refunded` },
    });
  }
  const at = request.now.toISOString();
  const expires_at = waitsAnew(state.row.order, coded)
    ? expiry(coded.payment_gateway, at, settings.auto_cancel_days)
    : coded.expires_at;
  return followed(state, { ...coded, expires_at }, note, request);
}

/** If the buyer has a whole payment back, its refunds don't count for the next one. */
const withoutReturned = (moved: OrderColumns, { row, paidBy }: UpdateState): OrderColumns =>
  paidBy && !isMoneyThere(paidBy) && isTakenBack({ before: row.order, after: moved })
    ? { ...moved, refunded_total: 0 }
    : moved;

/** Tells if refunds would reach an open order's total. */
const leavesNothing = ({ status, refunded_total, grand_total }: OrderColumns): boolean =>
  statusGroup(status) !== 'closed' && refunded_total > 0 && grand_total <= refunded_total;

/** Tells if a free order now has a price, or if payment on delivery begins or ends: its time for payment changes then. */
const waitsAnew = (before: OrderColumns, after: OrderColumns) =>
  after.status === 'on-hold' &&
  ((before.grand_total === 0 && after.grand_total > 0) ||
    isPaidOnDelivery(before.payment_gateway) !== isPaidOnDelivery(after.payment_gateway));

export function followed(
  state: UpdateState,
  moved: OrderColumns,
  note: string | undefined,
  { actor, now, refundedThere }: UpdateRequest,
): Update | Refusal<'out_of_stock'> {
  const { row, product, settings, buyer, coupon, named, paidBy, figures } = state;
  const before = row.order;
  const order = {
    ...moved,
    // An order that takes units again, or other units, uses the product's current counters.
    ...((!holdsStock(before, settings) || moved.quantity !== before.quantity) && {
      stock_counters: stockCounters(product, moved),
    }),
    ...nextVersion(before, now),
  };
  const claims = stockMoves(before, order, state);
  if (exceedsStock(claims, product)) return refuse('out_of_stock');
  const said = note ?? unsaidTotal(before, order, settings);
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

function refundIn(
  before: OrderColumns,
  after: OrderColumns,
  paidBy: BookedPayment | undefined,
  refundedThere: UpdateRequest['refundedThere'],
) {
  const amount = after.refunded_total - before.refunded_total;
  if (amount <= 0) return undefined;
  return refundedThere && paidBy
    ? madeThere(amount, paidBy, refundedThere === 'dispute')
    : splitRefund(amount, paidBy);
}

/** The history shows changes of status, and changes of the total with a reason. */
const isNoted = (before: OrderColumns, after: OrderColumns, note: string | null): boolean =>
  after.status !== before.status || (note !== null && after.grand_total !== before.grand_total);

/** Notes a changed total of a paid order if no reason is given. */
function unsaidTotal(
  before: OrderColumns,
  after: OrderColumns,
  { currency_exponent }: SettingsRow,
): string | null {
  const isPaid = (before.paid_at ?? after.paid_at) !== null;
  if (after.grand_total === before.grand_total || !isPaid) return null;
  const [from, to] = [before, after].map(({ grand_total, currency }) =>
    formatMoney(grand_total, currency, currency_exponent),
  );
  return `Total changed from ${from} to ${to}.`;
}

/** The units to take or return. */
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
