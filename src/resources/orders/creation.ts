import type { Actor } from '../../auth/principals.ts';
import type { OrderShipping } from '../../db/schema/orders.ts';
import type { users } from '../../db/schema/users.ts';
import { type Refusal, isRefusal, refuse, unknownReference } from '../../http/errors.ts';
import type { SettingsRow } from '../platform/queries.ts';
import { priceCart } from '../checkout/pricing.ts';
import { type ProductRow, isClosed } from '../products/rules.ts';
import { attribute } from './attribution.ts';
import { type OrderColumns, type OrderRow, historyEntry } from './rules.ts';
import type { OrderCreate } from './schemas.ts';
import { expiry, transition } from './transitions.ts';

/** What the creation of an order is decided on. */
export interface CreationState {
  readonly id: number;
  readonly settings: SettingsRow;
  readonly product: ProductRow | undefined;
  readonly buyer: typeof users.$inferSelect | undefined;
  readonly explicit: typeof users.$inferSelect | undefined;
  readonly sponsor: typeof users.$inferSelect | undefined;
}

/** A new order with its first history entries and what it takes from the stock. */
export interface Creation {
  readonly row: OrderRow;
  readonly history: ReturnType<typeof historyEntry>[];
  readonly claims: StockClaim[];
}

/** Units taken from one stock counter. */
export interface StockClaim {
  readonly option_id: string;
  readonly units: number;
}

type CreationRefusal = Refusal<
  | 'rest_not_found'
  | 'rest_invalid_param'
  | 'variant_required'
  | 'coupon_not_found'
  | 'product_closed'
  | 'out_of_stock'
  | 'rest_invalid_transition'
>;

/** Decides a new order: price, attribution, first status, claims on the stock. */
export function createOrder(
  state: CreationState,
  input: OrderCreate,
  actor: Actor,
  now: Date,
): Creation | CreationRefusal {
  const { product, buyer, explicit, sponsor, settings } = state;
  if (!product) return unknownReference('product_id');
  if (!buyer) return unknownReference('user_id');
  if (input.affiliate_id !== undefined && !explicit) return unknownReference('affiliate_id');
  if (input.coupon_code) return refuse('coupon_not_found');
  if (isClosed(product.product, input.access_code, now)) return refuse('product_closed');
  const priced = pricedOrder(state, product, input, now);
  if (isRefusal(priced)) return priced;
  const attribution = attribute({
    buyer,
    explicit,
    sponsor,
    sponsorFirst: settings.permanent_affiliate,
    enabled: product.product.affiliate.enabled,
  });
  const earner = attribution?.rejected_reason ? null : (attribution?.affiliate_id ?? null);
  const first: OrderColumns = { ...priced, user_id: buyer.id, attribution, affiliate_id: earner };
  const claims = stockClaims(product, first);
  if (claims.some(({ option_id, units }) => units > (product.stock[option_id] ?? 0))) {
    return refuse('out_of_stock');
  }
  const { type } = product.product;
  const context = { type, autoCancelDays: settings.auto_cancel_days, now };
  const order = transition(first, input.status ?? first.status, context);
  if (isRefusal(order)) return order;
  const affiliate = [explicit, sponsor].find((person) => earner !== null && person?.id === earner);
  const reached = order.status !== first.status;
  return {
    row: { order, product: product.product, user: buyer, affiliate: affiliate ?? null },
    history: [
      historyEntry(first, null, actor, null, now),
      ...(reached ? [historyEntry(order, first.status, actor, null, now)] : []),
    ],
    claims,
  };
}

/** The order as its price makes it, in the first status that follows from it. */
function pricedOrder(
  { id, settings }: CreationState,
  { product }: ProductRow,
  input: OrderCreate,
  now: Date,
): OrderColumns | CreationRefusal {
  const gateway = input.payment_gateway ?? 'manual';
  const quantity = input.quantity ?? 1;
  const price = priceCart({
    product,
    quantity,
    optionIds: input.variants ?? [],
    shipping: input.shipping,
    cod: gateway === 'cod',
  });
  if (isRefusal(price)) return price;
  const payment_gateway = price.totals.grand_total === 0 ? 'free' : gateway;
  const reason = refusedGateway(payment_gateway, product, settings);
  if (reason) return refuse('rest_invalid_param', { params: { payment_gateway: reason } });
  const at = now.toISOString();
  const status = firstStatus(payment_gateway, product.type);
  const paid = payment_gateway === 'free';
  return {
    id,
    number: `${settings.invoice_prefix}${String(id).padStart(6, '0')}`,
    order_parent_id: null,
    product_id: product.id,
    user_id: 0,
    affiliate_id: null,
    coupon_id: null,
    coupon_code: null,
    quantity,
    type: 'regular',
    status,
    payment_gateway,
    currency: settings.currency,
    signup_fee: 0,
    discount_total: 0,
    unique_code: 0,
    adjustment_total: 0,
    refunded_total: 0,
    ...price.totals,
    variants: [...price.variants],
    shipping: shippingOf(input, product, price.totals.shipping_total),
    attribution: null,
    note: input.note ?? null,
    meta: input.meta ?? {},
    paid_at: paid ? at : null,
    completed_at: status === 'completed' ? at : null,
    cancelled_at: null,
    refunded_at: null,
    expires_at: status === 'on-hold' ? expiry(at, settings.auto_cancel_days) : null,
    deleted_at: null,
    created_at: at,
    updated_at: at,
    version: 1,
  };
}

/** Free orders are done at once (goods still have to be sent), cash on delivery starts in progress. */
function firstStatus(gateway: string, type: 'digital' | 'physical') {
  if (gateway === 'free') return type === 'digital' ? 'completed' : 'in-progress';
  return gateway === 'cod' ? 'in-progress' : 'on-hold';
}

/** Why an order of the product can't be paid this way, if so. */
export function refusedGateway(
  gateway: string,
  product: ProductRow['product'],
  settings: SettingsRow,
): string | undefined {
  const [id = '', account] = gateway.split(':');
  switch (id) {
    case 'free':
      return undefined;
    case 'cod':
      return product.type === 'physical' && product.cod.active
        ? undefined
        : 'this product can not be paid on delivery';
    case 'manual':
      return account === undefined || settings.manual_accounts.some((a) => a.id === account)
        ? undefined
        : 'names an account the store does not have';
    default:
      return 'is not a gateway of this store';
  }
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

/** The counters an order takes from, in the order every order takes them. */
export function stockClaims({ stock }: ProductRow, order: OrderColumns): StockClaim[] {
  const counted = ['', ...order.variants.map(({ option_id }) => option_id)];
  return counted
    .filter((option_id) => option_id in stock)
    .sort()
    .map((option_id) => ({ option_id, units: order.quantity }));
}
