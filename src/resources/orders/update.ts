import type { Actor } from '../../auth/principals.ts';
import { type Refusal, isRefusal, isStale, refuse, unknownReference } from '../../http/errors.ts';
import { given, isSame } from '../../lib/objects.ts';
import type { OrderStatus } from '../../lib/statuses.ts';
import type { CouponRow } from '../coupons/rules.ts';
import { priceCart } from '../checkout/pricing.ts';
import type { SettingsRow } from '../platform/queries.ts';
import { type ProductRow, unitsLeft } from '../products/rules.ts';
import type { Person } from '../users/rules.ts';
import { attribute } from './attribution.ts';
import {
  type StockClaim,
  exceedsStock,
  holdsStock,
  isTransferred,
  refusedGateway,
  stockClaims,
  stockCounters,
  transferCode,
} from './creation.ts';
import type { OrderChange } from './effect.ts';
import { type OrderColumns, type OrderRow, historyEntry, sumOfParts } from './rules.ts';
import type { OrderUpdate } from './schemas.ts';
import { isUnpaid, statusGroup, transition } from './transitions.ts';

/** What an update of an order is decided on, as the database answers it. */
export interface LoadedUpdate {
  readonly found: OrderRow[];
  readonly product: ProductRow[];
  readonly settings: SettingsRow[];
  readonly buyer: Person[];
  /** The affiliate the update names. */
  readonly named: Person[];
  /** That affiliate, where they bought the product. */
  readonly customers: { id: number }[];
  /** The coupon the order uses. */
  readonly coupon: CouponRow[];
}

interface UpdateState {
  readonly row: OrderRow;
  readonly product: ProductRow;
  readonly settings: SettingsRow;
  readonly buyer: Person;
  readonly named: Person | undefined;
  readonly customers: readonly number[];
  readonly coupon: CouponRow | undefined;
  readonly redirects: readonly string[];
  readonly takenFigures: readonly number[];
  readonly chance: number;
}

/** Who asks for an update, when, and over which version if that matters to them. */
export interface UpdateRequest {
  readonly actor: Actor;
  readonly ifMatch: number | undefined;
  readonly now: Date;
  /** Ids of the redirect gateways that are on, where the update may name one. */
  readonly redirects?: readonly string[];
  /** Figures that open orders wait for by transfer, where the update may name a gateway. */
  readonly takenFigures?: readonly number[];
  /** From 0 up to 1: which free transfer code is taken. */
  readonly chance?: number;
}

/** An order's next state, its history entry and what it takes from the stock or gives back. */
export interface Update {
  /** The version it was decided on; the next state's own where nothing is to be written. */
  readonly version: number;
  readonly row: OrderRow;
  readonly history: ReturnType<typeof historyEntry>[];
  /** Units to take (positive, all or nothing) or to give back (negative) by counter. */
  readonly claims: StockClaim[];
  /** What the areas that follow from orders are told; undefined where nothing changes. */
  readonly change: OrderChange | undefined;
}

type StateRefusal = Refusal<'rest_not_found' | 'rest_conflict'>;
type MoveRefusal = Refusal<'rest_invalid_param' | 'rest_invalid_transition' | 'out_of_stock'>;
type FieldRefusal = Refusal<
  | 'rest_not_found'
  | 'rest_invalid_param'
  | 'variant_required'
  | 'order_not_unpaid'
  | 'unique_code_exhausted'
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
  const revised = [withDetails, withPayment, withQuantity, withTotal, withAffiliate].reduce<
    OrderColumns | FieldRefusal
  >((order, step) => (isRefusal(order) ? order : step(order, input, state)), order);
  if (isRefusal(revised)) return revised;
  if (status === order.status && isSame(order, revised)) return unchanged(state);
  return move(state, revised, status, reason, request);
}

/** Decides a change of status alone, with the number of the parcel where one is sent. */
export function decideStatus(
  loaded: LoadedUpdate,
  { status, note, tracking_number }: StatusChange,
  request: UpdateRequest,
): Update | StateRefusal | MoveRefusal {
  const state = readState(loaded, request);
  if (isRefusal(state)) return state;
  const { order } = state.row;
  const revised = withDetails(order, given({ tracking_number }));
  if (status === order.status && isSame(order, revised)) return unchanged(state);
  return move(state, revised, status, note, request);
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
  return move(state, revised, given === left ? 'refunded' : order.status, reason, request);
}

/** What a change of status asks for. */
interface StatusChange {
  readonly status: OrderStatus;
  /** Kept in the history. */
  readonly note?: string | undefined;
  readonly tracking_number?: string | undefined;
}

function readState(
  loaded: LoadedUpdate,
  { ifMatch, redirects = [], takenFigures = [], chance = 0 }: UpdateRequest,
): UpdateState | StateRefusal {
  const [row] = loaded.found;
  const [product] = loaded.product;
  const [settings] = loaded.settings;
  const [buyer] = loaded.buyer;
  if (!row || !product || !settings || !buyer) return refuse('rest_not_found');
  if (isStale(ifMatch, row.order)) return refuse('rest_conflict');
  return {
    row,
    product,
    settings,
    buyer,
    named: loaded.named[0],
    redirects,
    takenFigures,
    chance,
    customers: loaded.customers.map(({ id }) => id),
    coupon: loaded.coupon[0],
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
  status: OrderStatus,
  note: string | undefined,
  { actor, now }: UpdateRequest,
): Update | MoveRefusal {
  const { row, product, settings, buyer, coupon, named } = state;
  const before = row.order;
  const context = { type: product.product.type, autoCancelDays: settings.auto_cancel_days, now };
  const moved = transition(revised, status, context);
  if (isRefusal(moved)) return moved;
  const order = {
    ...moved,
    // Who takes units again takes them as the product is counted now.
    ...(!holdsStock(before, settings) && { stock_counters: stockCounters(product, moved) }),
    updated_at: now.toISOString(),
    version: before.version + 1,
  };
  const claims = stockMoves(before, order, state);
  if (exceedsStock(claims, product)) return refuse('out_of_stock');
  const sameAffiliate = order.affiliate_id === before.affiliate_id;
  return {
    version: before.version,
    row: {
      ...row,
      order,
      affiliate: sameAffiliate ? row.affiliate : order.affiliate_id ? (named ?? null) : null,
    },
    history: isNoted(before, order, note)
      ? [historyEntry(order, before.status, actor, note ?? null, now)]
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
      now,
    },
  };
}

/** Whether the history tells of a change: of each of the status, and of the total if it has a reason. */
const isNoted = (before: OrderColumns, after: OrderColumns, note: string | undefined): boolean =>
  after.status !== before.status ||
  (note !== undefined && after.adjustment_total !== before.adjustment_total);

/** Whether an update changed the status. */
export const hasMoved = ({ change }: Update): boolean =>
  change !== undefined && change.before?.status !== change.after.status;

type Step = (
  order: OrderColumns,
  input: OrderUpdate,
  state: UpdateState,
) => OrderColumns | FieldRefusal;

function withDetails(order: OrderColumns, input: OrderUpdate): OrderColumns {
  const { note, meta, tracking_number, shipping } = input;
  const parcel = given({ tracking_number, ...shipping });
  const tracked = Object.keys(parcel).length > 0;
  return {
    ...order,
    ...(note !== undefined && { note }),
    ...(meta && { meta }),
    ...(tracked && { shipping: { ...(order.shipping ?? noShipping), ...parcel } }),
  };
}

const noShipping: NonNullable<OrderColumns['shipping']> = {
  option_id: '',
  courier: '',
  service: '',
  cost: 0,
  receiver: '',
  phone: '',
  address: '',
  postal_code: '',
  country: '',
  tracking_number: '',
  tracking_url: '',
};

const withPayment: Step = (order, { payment_gateway }, state) => {
  const { product, settings, redirects } = state;
  if (payment_gateway === undefined || payment_gateway === order.payment_gateway) return order;
  if (!isUnpaid(order.status)) return refuse('order_not_unpaid');
  const reason = refusedGateway(payment_gateway, product.product, settings, redirects);
  if (reason) return refuse('rest_invalid_param', { params: { payment_gateway: reason } });
  const fee_total = payment_gateway === 'cod' ? product.product.cod.fee : 0;
  const changed = totalled({ ...order, payment_gateway, fee_total });
  if (isTransferred(order.payment_gateway) && isTransferred(payment_gateway)) return changed;
  // The code tells transfers apart: what becomes one needs it, what is none any more doesn't.
  const plain = totalled({ ...changed, unique_code: 0 });
  const unique_code =
    plain.grand_total === 0 ? 0 : transferCode(state, payment_gateway, plain.grand_total);
  if (unique_code === null) return refuse('unique_code_exhausted');
  return totalled({ ...plain, unique_code });
};

const withQuantity: Step = (order, { quantity }, { product, coupon }) => {
  if (quantity === undefined || quantity === order.quantity) return order;
  if (!isUnpaid(order.status)) return refuse('order_not_unpaid');
  // What was agreed stays: the unit price and surcharges of the order, not today's.
  const agreed = {
    ...product.product,
    price: order.unit_price,
    variants: order.variants.map((variant) => ({
      id: variant.group,
      key: variant.group,
      label: variant.group,
      required: true,
      options: [{ ...variant, id: variant.option_id, key: '', sku: '', stock: null, active: true }],
    })),
  };
  const price = priceCart({
    product: agreed,
    quantity,
    optionIds: order.variants.map(({ option_id }) => option_id),
    shipping: order.shipping?.option_id ? order.shipping : undefined,
    coupon,
    signupFee: order.signup_fee,
    cod: order.payment_gateway === 'cod',
  });
  if (isRefusal(price)) return price;
  const { shipping_total } = price.totals;
  const shipping = order.shipping && { ...order.shipping, cost: shipping_total };
  return totalled({ ...order, ...price.totals, quantity, shipping });
};

/** The order with its total taken from its parts again, an earlier override kept as it was. */
const totalled = (order: OrderColumns): OrderColumns => ({
  ...order,
  grand_total: Math.max(0, sumOfParts(order) + order.adjustment_total),
  adjustment_total: Math.max(-sumOfParts(order), order.adjustment_total),
});

const withTotal: Step = (order, { grand_total }) => {
  if (grand_total === undefined) return order;
  if (grand_total < order.refunded_total) {
    return refuse('rest_invalid_param', {
      params: { grand_total: `may not be less than the ${order.refunded_total} refunded` },
    });
  }
  return { ...order, grand_total, adjustment_total: grand_total - sumOfParts(order) };
};

const withAffiliate: Step = (order, { affiliate_id }, { named, customers, buyer, product }) => {
  if (affiliate_id === undefined || affiliate_id === order.affiliate_id) return order;
  if (affiliate_id === null) return { ...order, affiliate_id, attribution: null };
  if (!named) return unknownReference('affiliate_id');
  const attribution = attribute({
    buyer,
    couponOwner: undefined,
    explicit: named,
    visited: undefined,
    sponsor: undefined,
    sponsorFirst: false,
    programme: product.product.affiliate,
    customers,
  });
  const rejected = attribution?.rejected_reason;
  return rejected
    ? refuse('rest_invalid_param', { params: { affiliate_id: `may not earn: ${rejected}` } })
    : { ...order, affiliate_id, attribution };
};

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

/** Whether an order can be erased: cancelled, and no money ever moved on it. */
export const isErasable = ({ status, paid_at, refunded_total }: OrderColumns) =>
  statusGroup(status) === 'closed' && paid_at === null && refunded_total === 0;
