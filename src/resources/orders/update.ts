import type { Actor } from '../../auth/principals.ts';
import type { users } from '../../db/schema/users.ts';
import { type Refusal, isRefusal, refuse, unknownReference } from '../../http/errors.ts';
import { priceCart } from '../checkout/pricing.ts';
import type { SettingsRow } from '../platform/queries.ts';
import type { ProductRow } from '../products/rules.ts';
import { attribute } from './attribution.ts';
import { type StockClaim, refusedGateway, stockClaims } from './creation.ts';
import { type OrderColumns, type OrderRow, historyEntry, sumOfParts } from './rules.ts';
import type { OrderUpdate } from './schemas.ts';
import { isUnpaid, statusGroup, transition } from './transitions.ts';

/** What an update of an order is decided on. */
export interface UpdateState {
  readonly row: OrderRow;
  readonly product: ProductRow;
  readonly settings: SettingsRow;
  readonly buyer: typeof users.$inferSelect;
  /** The affiliate the update names. */
  readonly named: typeof users.$inferSelect | undefined;
}

/** An order's next state, its history entry and what it takes from the stock or gives back. */
export interface Update {
  readonly row: OrderRow;
  readonly history: ReturnType<typeof historyEntry>[];
  /** Units to take (positive, all or nothing) or to give back (negative) by counter. */
  readonly claims: StockClaim[];
}

export type UpdateRefusal = Refusal<
  | 'rest_not_found'
  | 'rest_invalid_param'
  | 'rest_invalid_transition'
  | 'variant_required'
  | 'order_not_unpaid'
  | 'out_of_stock'
>;

/** Decides an update: the fields first, then the change of status. */
export function updateOrder(
  state: UpdateState,
  input: OrderUpdate,
  actor: Actor,
  now: Date,
): Update | UpdateRefusal {
  const before = state.row.order;
  const revised = [withDetails, withPayment, withQuantity, withTotal, withAffiliate].reduce<
    OrderColumns | UpdateRefusal
  >((order, step) => (isRefusal(order) ? order : step(order, input, state)), before);
  if (isRefusal(revised)) return revised;
  const { settings, product } = state;
  const context = { type: product.product.type, autoCancelDays: settings.auto_cancel_days, now };
  const moved = transition(revised, input.status ?? revised.status, context);
  if (isRefusal(moved)) return moved;
  const order = { ...moved, updated_at: now.toISOString(), version: before.version + 1 };
  const claims = stockMoves(before, order, state);
  if (claims.some(({ option_id, units }) => units > (product.stock[option_id] ?? 0))) {
    return refuse('out_of_stock');
  }
  const affiliate = state.named && order.affiliate_id === state.named.id ? state.named : null;
  return {
    row: {
      ...state.row,
      order,
      affiliate: order.affiliate_id === before.affiliate_id ? state.row.affiliate : affiliate,
    },
    history:
      order.status === before.status
        ? []
        : [historyEntry(order, before.status, actor, input.reason ?? null, now)],
    claims,
  };
}

type Step = (
  order: OrderColumns,
  input: OrderUpdate,
  state: UpdateState,
) => OrderColumns | UpdateRefusal;

const withDetails: Step = (order, { note, meta, tracking_number, tracking_url }) => {
  const tracked = tracking_number !== undefined || tracking_url !== undefined;
  const shipping = order.shipping ?? (tracked ? noShipping : null);
  return {
    ...order,
    ...(note !== undefined && { note }),
    ...(meta && { meta }),
    shipping: shipping && {
      ...shipping,
      tracking_number: tracking_number ?? shipping.tracking_number,
      tracking_url: tracking_url ?? shipping.tracking_url,
    },
  };
};

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

const withPayment: Step = (order, { payment_gateway }, { product, settings }) => {
  if (payment_gateway === undefined || payment_gateway === order.payment_gateway) return order;
  if (!isUnpaid(order.status)) return refuse('order_not_unpaid');
  const reason = refusedGateway(payment_gateway, product.product, settings);
  if (reason || payment_gateway === 'free') {
    return refuse('rest_invalid_param', {
      params: { payment_gateway: reason ?? 'is for orders that cost nothing' },
    });
  }
  const fee_total = payment_gateway === 'cod' ? product.product.cod.fee : 0;
  return totalled({ ...order, payment_gateway, fee_total });
};

const withQuantity: Step = (order, { quantity }, { product }) => {
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

const withAffiliate: Step = (order, { affiliate_id }, { named, buyer, product }) => {
  if (affiliate_id === undefined || affiliate_id === order.affiliate_id) return order;
  if (affiliate_id === null) return { ...order, affiliate_id, attribution: null };
  if (!named) return unknownReference('affiliate_id');
  const attribution = attribute({
    buyer,
    explicit: named,
    sponsor: undefined,
    sponsorFirst: false,
    enabled: product.product.affiliate.enabled,
  });
  const rejected = attribution?.rejected_reason;
  return rejected
    ? refuse('rest_invalid_param', { params: { affiliate_id: `may not earn: ${rejected}` } })
    : { ...order, affiliate_id, attribution };
};

/** Stock is held while an order lives; it comes back on cancellation, on a refund by setting. */
function stockMoves(before: OrderColumns, after: OrderColumns, state: UpdateState): StockClaim[] {
  const holds = ({ status }: OrderColumns) =>
    status !== 'cancelled' && !(status === 'refunded' && state.settings.restock_on_refund);
  const taken = (order: OrderColumns) => (holds(order) ? stockClaims(state.product, order) : []);
  const units = new Map<string, number>();
  for (const claim of taken(before)) units.set(claim.option_id, -claim.units);
  for (const claim of taken(after)) {
    units.set(claim.option_id, (units.get(claim.option_id) ?? 0) + claim.units);
  }
  return [...units]
    .filter(([, moved]) => moved !== 0)
    .map(([option_id, moved]) => ({ option_id, units: moved }));
}

/** Whether an order can be erased: cancelled, and no money ever moved on it. */
export const isErasable = ({ status, paid_at, refunded_total }: OrderColumns) =>
  statusGroup(status) === 'closed' && paid_at === null && refunded_total === 0;
