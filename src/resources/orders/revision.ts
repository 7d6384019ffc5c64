import { noShipping } from '../../db/schema/orders.ts';
import { type Refusal, isRefusal, refuse, unknownReference } from '../../http/errors.ts';
import { given } from '../../lib/objects.ts';
import { refusedQuantity, totalsOf } from '../checkout/pricing.ts';
import {
  type PaymentState,
  isTransferred,
  refusedGateway,
  transferCode,
} from '../payments/acceptance.ts';
import type { ProductRow } from '../products/rules.ts';
import type { Person } from '../users/rules.ts';
import { attribute } from './attribution.ts';
import { type OrderColumns, sumOfParts } from './rules.ts';
import type { OrderUpdate } from './schemas.ts';
import { isUnpaid, statusGroup } from './transitions.ts';

/** What a revision of an order's fields is decided on, beside the order. */
export interface RevisionState extends PaymentState {
  readonly product: ProductRow;
  readonly buyer: Person;
  /** The affiliate the update names. */
  readonly named: Person | undefined;
  /** That affiliate's id, where they bought the product. */
  readonly customers: readonly number[];
}

export type FieldRefusal = Refusal<
  | 'rest_not_found'
  | 'rest_invalid_param'
  | 'order_closed'
  | 'order_not_unpaid'
  | 'coupon_min_amount'
  | 'unique_code_exhausted'
>;

/** An order with what an update says of its fields, its status aside. */
export function revisedOrder(
  before: OrderColumns,
  input: OrderUpdate,
  state: RevisionState,
): OrderColumns | FieldRefusal {
  const isChanged = settled.some(
    (name) => input[name] !== undefined && input[name] !== before[name],
  );
  if (isChanged && statusGroup(before.status) === 'closed') return refuse('order_closed');
  const steps: Step[] = [withDetails, withPayment, withQuantity, withTotal, withAffiliate];
  const revised = steps.reduce<OrderColumns | FieldRefusal>(
    (order, step) => (isRefusal(order) ? order : step(order, input, state)),
    before,
  );
  return isRefusal(revised) ? revised : withCode(before, revised, input, state);
}

/** What an order that is refunded or cancelled keeps. */
const settled = ['quantity', 'payment_gateway', 'grand_total', 'affiliate_id'] as const;

type Step = (
  order: OrderColumns,
  input: OrderUpdate,
  state: RevisionState,
) => OrderColumns | FieldRefusal;

export function withDetails(order: OrderColumns, input: OrderUpdate): OrderColumns {
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

const withPayment: Step = (order, { payment_gateway }, state) => {
  const { product } = state.product;
  if (payment_gateway === undefined || payment_gateway === order.payment_gateway) return order;
  if (!isUnpaid(order.status)) return refuse('order_not_unpaid');
  const reason = refusedGateway(payment_gateway, product, order.shipping?.option_id, state);
  if (reason) return refuse('rest_invalid_param', { params: { payment_gateway: reason } });
  const fee_total = payment_gateway === 'cod' ? product.cod.fee : 0;
  return totalled({ ...order, payment_gateway, fee_total });
};

/** Prices the order again by what was agreed, whatever product and coupon are today. */
const withQuantity: Step = (order, { quantity }, { product }) => {
  if (quantity === undefined || quantity === order.quantity) return order;
  if (!isUnpaid(order.status)) return refuse('order_not_unpaid');
  const reason = order.order_parent_id
    ? 'of a renewal is that of the first order'
    : refusedQuantity(product.product, quantity);
  if (reason) return refuse('rest_invalid_param', { params: { quantity: reason } });
  const totals = totalsOf({ ...order, ...order.agreed }, quantity);
  if (isRefusal(totals)) return totals;
  const { subtotal, variant_total, shipping_total } = totals;
  if (subtotal + variant_total < (order.agreed.coupon?.minimum_amount ?? 0)) {
    return refuse('coupon_min_amount');
  }
  const shipping = order.shipping && { ...order.shipping, cost: shipping_total };
  return totalled({ ...order, ...totals, quantity, shipping });
};

/** The order with its total taken from its parts again, an earlier override kept as it was. */
const totalled = (order: OrderColumns): OrderColumns => ({
  ...order,
  grand_total: Math.max(0, sumOfParts(order) + order.adjustment_total),
  adjustment_total: Math.max(-sumOfParts(order), order.adjustment_total),
});

const withTotal: Step = (order, { grand_total }) => {
  if (grand_total === undefined || grand_total === order.grand_total) return order;
  const { refunded_total } = order;
  if (refunded_total > 0 && grand_total <= refunded_total) {
    return refuse('rest_invalid_param', {
      params: { grand_total: `must be more than the ${refunded_total} refunded` },
    });
  }
  return overridden(order, grand_total);
};

const overridden = (order: OrderColumns, grand_total: number): OrderColumns => ({
  ...order,
  grand_total,
  adjustment_total: grand_total - sumOfParts(order),
});

/**
 * The code tells transfers apart: what comes to wait for one gets it, what no longer waits for one
 * loses it. A total that the update says is what has to be transferred, the code included.
 */
function withCode(
  before: OrderColumns,
  order: OrderColumns,
  { grand_total }: OrderUpdate,
  state: RevisionState,
): OrderColumns | Refusal<'unique_code_exhausted'> {
  if (awaitsTransfer(before) === awaitsTransfer(order)) return order;
  const unique_code = awaitsTransfer(order)
    ? transferCode(state, order.payment_gateway, order.grand_total)
    : 0;
  if (unique_code === null) return refuse('unique_code_exhausted');
  const coded = { ...order, unique_code };
  return grand_total === undefined ? totalled(coded) : overridden(coded, grand_total);
}

/** Whether an update may make an order wait for a transfer. */
export const mayDrawCode = ({ payment_gateway, quantity, grand_total }: OrderUpdate): boolean =>
  [payment_gateway, quantity, grand_total].some((value) => value !== undefined);

const awaitsTransfer = ({ status, payment_gateway, grand_total }: OrderColumns): boolean =>
  isUnpaid(status) && isTransferred(payment_gateway) && grand_total > 0;

const withAffiliate: Step = (order, { affiliate_id }, state) => {
  const { named, customers, buyer, product, settings } = state;
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
    country: settings.country,
  });
  const rejected = attribution?.rejected_reason;
  return rejected
    ? refuse('rest_invalid_param', { params: { affiliate_id: `may not earn: ${rejected}` } })
    : { ...order, affiliate_id, attribution };
};
