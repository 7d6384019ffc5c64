import type { Actor } from '../../kernel/auth/actor.ts';
import type { OrderShipping, OrderColumns } from '../../schema/orders.ts';
import { type Refusal, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import { type AcceptanceState, acceptance } from './acceptance.ts';
import { type CouponTrial, priceWithCoupon } from '../pricing/price.ts';
import type { CouponRefusal, CouponRow } from '../coupon/rules.ts';
import {
  type Offer,
  type ParentOrder,
  offerOf,
  offeredProduct,
  planBegun,
  withTermExtras,
} from '../subscription/offer.ts';
import { handledType, isLaterInstalment } from '../order/instalment.ts';
import type { PaidOrder } from '../payment/acceptance.ts';
import { type ProductRow, isClosed, isSoldTo, notForGroup, unitsLeft } from '../product/rules.ts';
import { type PurchaseCandidates, attributePurchase, earnerOf } from './attribution.ts';
import type { OrderChange } from '../order/change.ts';
import { type OrderRow, historyEntry, numberLength } from '../order/rules.ts';
import type { OrderCreate } from '../order/request-schemas.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import { expiry, isUnpaid, statusWhenPaid, transition } from '../order/transitions.ts';
import { addSeconds } from '../../lib/instant.ts';
import { firstVersion } from '../../lib/versions.ts';

export interface CreationState extends PurchaseCandidates, AcceptanceState {
  readonly id: number;
  readonly product: ProductRow | undefined;
  /** The order that it renews. */
  readonly parent: ParentOrder | undefined;
  readonly coupon: CouponRow | undefined;
  /** The buyer's orders with this coupon. */
  readonly usedByBuyer: number;
  /** True if the buyer has an order that wasn't cancelled. */
  readonly hasOrdered: boolean;
  /** Details typed by a stranger, who is never treated as a known user, whatever the address. */
  readonly stranger?: NonNullable<PaidOrder['buyer']>;
  /** Seconds for which it waits for payment, if not the store's usual time. */
  readonly hold?: number;
}

export interface Creation {
  readonly row: OrderRow;
  readonly history: ReturnType<typeof historyEntry>[];
  readonly claims: StockClaim[];
  readonly change: OrderChange;
}

export interface StockClaim {
  readonly option_id: string;
  readonly units: number;
}

type CreationRefusal = Refusal<
  | 'store_currency_unset'
  | 'rest_not_found'
  | 'rest_invalid_param'
  | 'variant_required'
  | CouponRefusal
  | 'product_closed'
  | 'out_of_stock'
  | 'license_quantity'
  | 'purchase_too_soon'
  | 'rest_invalid_transition'
  | 'tryout_used'
  | 'subscription_not_renewable'
  | 'plan_complete'
>;

/** Decides a new order: price, attribution, first status, claims on the stock. */
export function createOrder(
  state: CreationState,
  input: OrderCreate,
  actor: Actor,
  now: Date,
): Creation | CreationRefusal {
  const { product, buyer, orderAffiliate, settings } = state;
  const { currency } = settings;
  if (currency === null) return refuse('store_currency_unset');
  if (!product) return unknownReference('product_id');
  if (!buyer) return unknownReference('user_id');
  if (input.affiliate_id !== undefined && !orderAffiliate) return unknownReference('affiliate_id');
  const unsold = unsoldRefusal(state, product, buyer, input, now);
  if (unsold) return unsold;
  const priced = pricedOrder({ ...state, currency }, product, input, now);
  if (isRefusal(priced)) return priced;
  const attribution = attributePurchase(state, product.product, input.coupon_code !== undefined);
  const affiliate = earnerOf(state, attribution);
  const affiliate_id = affiliate?.id ?? null;
  const first: OrderColumns = { ...priced, user_id: buyer.id, attribution, affiliate_id };
  const type = handledType(first, product.product);
  const context = { type, autoCancelDays: settings.auto_cancel_days, now };
  const moved = transition(first, input.status ?? first.status, context);
  if (isRefusal(moved)) return moved;
  const order = { ...moved, stock_counters: stockCounters(product, moved) };
  const claims = stockClaims(order, settings);
  const reached = order.status !== first.status;
  return {
    row: { order, product: { ...product.product, type }, user: buyer, affiliate },
    history: [
      historyEntry(first, null, actor, null, now),
      ...(reached ? [historyEntry(order, first.status, actor, null, now)] : []),
    ],
    claims,
    change: {
      before: null,
      after: order,
      product: product.product,
      buyer,
      coupon: order.coupon_id === null ? undefined : state.coupon,
      settings,
      actor,
      note: null,
      refund: undefined,
      takesOver: state.figures.held.includes(order.grand_total),
      now,
    },
  };
}

/** Refuses a product that isn't sold, or not to the buyer. A renewal is agreed with the first order. */
export function unsoldRefusal(
  { parent }: Pick<CreationState, 'parent'>,
  { product }: ProductRow,
  buyer: CreationState['buyer'],
  { access_code }: Pick<OrderCreate, 'access_code'>,
  now: Date,
): Refusal<'product_closed'> | undefined {
  if (parent?.subscription) return undefined;
  if (isClosed(product, access_code, now)) return refuse('product_closed');
  return buyer && !isSoldTo(product, buyer) ? notForGroup() : undefined;
}

const couponTrial = (
  { coupon, buyer, stranger, usedByBuyer, hasOrdered }: CreationState,
  { order_parent_id, plan }: Offer,
  now: Date,
): CouponTrial => ({
  row: coupon,
  isInstalment: plan !== null,
  buyer: stranger ? null : (buyer ?? null),
  renewal: order_parent_id !== null,
  usedByBuyer,
  hasOrdered,
  now,
});

function pricedOrder(
  state: CreationState & { readonly currency: string },
  row: ProductRow,
  input: OrderCreate,
  now: Date,
): OrderColumns | CreationRefusal {
  const { id, settings, currency } = state;
  const { product } = row;
  const gateway = input.payment_gateway ?? 'manual';
  const offer = offerOf({ ...state, product, now }, input);
  if (isRefusal(offer)) return offer;
  const { type, order_parent_id, quantity, optionIds } = offer;
  const renewal = order_parent_id !== null;
  const offered = offeredProduct(row, offer);
  const priced = priceWithCoupon(
    {
      product: offered.product,
      signupFee: offer.signup_fee,
      quantity,
      renewal,
      optionIds,
      shipping: input.shipping,
      cod: isPaidOnDelivery(gateway),
    },
    input.coupon_code ? couponTrial(state, offer, now) : undefined,
  );
  if (isRefusal(priced)) return priced;
  const option_id = input.shipping?.option_id;
  const accepted = acceptance(
    state,
    {
      product: offered,
      quantity,
      renewal,
      gateway,
      option_id,
      buyer: state.stranger ?? state.buyer,
      priced,
      isUnpaid: input.status === undefined || isUnpaid(input.status),
    },
    now,
  );
  const [refusal] = accepted.refusals;
  if (refusal) return refusal;
  const { payment_gateway, unique_code } = accepted;
  const { price } = priced;
  const coupon = priced.couponUsed ? state.coupon?.coupon : undefined;
  const at = now.toISOString();
  const status = firstStatus(payment_gateway, offered.product.type);
  return {
    id,
    number: `${settings.invoice_prefix}${String(id).padStart(numberLength, '0')}`,
    order_parent_id,
    product_id: product.id,
    product_title: product.title,
    user_id: 0,
    affiliate_id: null,
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    quantity,
    type,
    status,
    payment_gateway,
    currency,
    adjustment_total: 0,
    refunded_total: 0,
    ...price.totals,
    unique_code,
    grand_total: price.totals.grand_total + unique_code,
    variants:
      type === 'subscription-tryout'
        ? withTermExtras(product, price.variants)
        : [...price.variants],
    agreed: {
      ...price.agreed,
      plan: order_parent_id === null ? planBegun(product, offer) : offer.plan,
    },
    shipping: shippingOf(input, product, price.totals.shipping_total),
    attribution: null,
    stock_counters: [],
    note: input.note ?? null,
    meta: input.meta ?? {},
    paid_at: payment_gateway === 'free' ? at : null,
    completed_at: status === 'completed' ? at : null,
    cancelled_at: null,
    refunded_at: null,
    expires_at: status === 'on-hold' ? lastMoment(state, payment_gateway, at) : null,
    deleted_at: null,
    ...firstVersion(at),
  };
}

/** The time at which a new order is cancelled unless it is paid. */
const lastMoment = ({ hold, settings }: CreationState, gateway: string, at: string) =>
  hold === undefined ? expiry(gateway, at, settings.auto_cancel_days) : addSeconds(at, hold);

/** Free orders complete at once, unless goods are still to be sent. Cash on delivery starts in progress. */
function firstStatus(gateway: string, type: 'digital' | 'physical') {
  if (gateway === 'free') return statusWhenPaid(type);
  return isPaidOnDelivery(gateway) ? 'in-progress' : 'on-hold';
}

function shippingOf(
  { shipping }: OrderCreate,
  product: ProductRow['product'],
  cost: number,
): OrderShipping | null {
  if (!shipping) return null;
  const option = product.shipping.options.find(({ id }) => id === shipping.option_id);
  return {
    ...shipping,
    courier: option?.courier ?? '',
    service: option?.service ?? '',
    cost,
    tracking_number: '',
    tracking_url: '',
  };
}

/** Tells if an order holds its units. They return on cancellation and, by a setting, on a refund. */
export const holdsStock = ({ status }: OrderColumns, { restock_on_refund }: SettingsRow): boolean =>
  status !== 'cancelled' && !(status === 'refunded' && restock_on_refund);

/** The counters that an order takes units from, always in the same order. */
export function stockCounters({ stock }: ProductRow, order: OrderColumns): string[] {
  if (isLaterInstalment(order)) return [];
  return ['', ...order.variants.map(({ option_id }) => option_id)]
    .filter((option_id) => unitsLeft(stock, option_id) !== null)
    .sort();
}

/** The units that an order holds, by counter. */
export const stockClaims = (order: OrderColumns, settings: SettingsRow): StockClaim[] =>
  holdsStock(order, settings)
    ? order.stock_counters.map((option_id) => ({ option_id, units: order.quantity }))
    : [];

export const exceedsStock = (claims: readonly StockClaim[], { stock }: ProductRow) =>
  claims.some(({ option_id, units }) => units > (unitsLeft(stock, option_id) ?? 0));
