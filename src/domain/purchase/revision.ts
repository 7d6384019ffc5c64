import { noShipping, type OrderColumns } from '../../schema/orders.ts';
import { type Refusal, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { largestAmount } from '../../lib/money.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import { refusedQuantity, totalsOf } from '../pricing/price.ts';
import { type PaymentState, refusedGateway } from '../payment/acceptance.ts';
import type { ProductRow } from '../product/rules.ts';
import type { Person } from '../user/rules.ts';
import { attribute } from './attribution.ts';
import { overridden, totalled } from './payable.ts';
import type { OrderUpdate } from '../order/request-schemas.ts';
import { isPaidOnDelivery } from '../order/gateways.ts';
import { handledType } from '../order/instalment.ts';
import { isUnpaid, statusGroup } from '../order/transitions.ts';

export interface RevisionState extends PaymentState {
  readonly product: ProductRow;
  readonly buyer: Person;
  readonly named: Person | undefined;
  /** Only the affiliate's id, if they bought the product. */
  readonly customers: readonly number[];
}

export type FieldRefusal = Refusal<
  | 'rest_not_found'
  | 'rest_invalid_param'
  | 'order_closed'
  | 'order_not_unpaid'
  | 'coupon_min_amount'
>;

/** Applies the fields of an update, except the status. */
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
  if (isRefusal(revised)) return revised;
  return refusedTotal(before, revised, input) ?? withGateway(revised);
}

/** Fixed once an order is refunded or cancelled. */
const settled = ['quantity', 'payment_gateway', 'grand_total', 'affiliate_id'] as const;

type Step = (
  order: OrderColumns,
  input: OrderUpdate,
  state: RevisionState,
) => OrderColumns | FieldRefusal;

export function withDetails(order: OrderColumns, input: OrderUpdate): OrderColumns {
  const { note, meta, tracking_number, shipping } = input;
  const parcel = withoutUndefined({ tracking_number, ...shipping });
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
  const paidOrder = {
    amount: order.grand_total - order.fee_total - order.unique_code,
    option_id: order.shipping?.option_id,
    buyer: state.buyer,
  };
  if (payment_gateway === undefined || payment_gateway === order.payment_gateway) return order;
  if (!isUnpaid(order.status)) return refuse('order_not_unpaid');
  const handled = { ...product, type: handledType(order, product) };
  const reason = refusedGateway(payment_gateway, handled, paidOrder, state);
  if (reason) return refuse('rest_invalid_param', { params: { payment_gateway: reason } });
  const fee_total = isPaidOnDelivery(payment_gateway) ? product.cod.fee : 0;
  return totalled({ ...order, payment_gateway, fee_total });
};

/** Prices by the agreed terms, not by today's product and coupon. */
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

const withTotal: Step = (order, { grand_total }) =>
  grand_total === undefined || grand_total === order.grand_total
    ? order
    : overridden(order, grand_total);

/** Refuses a new price whose total is out of range, or 0 or less, unless a person set that total. */
function refusedTotal(
  before: OrderColumns,
  { quantity, payment_gateway, grand_total, unique_code }: OrderColumns,
  said: OrderUpdate,
): Refusal<'rest_invalid_param'> | undefined {
  const isPricedAgain = quantity !== before.quantity || payment_gateway !== before.payment_gateway;
  const due = grand_total - unique_code;
  if (said.grand_total !== undefined || !isPricedAgain) return undefined;
  const field = quantity === before.quantity ? 'payment_gateway' : 'quantity';
  const refused = (reason: string) => refuse('rest_invalid_param', { params: { [field]: reason } });
  if (due > largestAmount) return refused('makes a total that is out of range');
  if (due > 0 || (due === 0 && before.grand_total === 0)) return undefined;
  return refused('leaves nothing to pay: place a new order, or say grand_total as well');
}

/** A free order that gets a price needs a gateway. */
const withGateway = (order: OrderColumns): OrderColumns =>
  order.payment_gateway === 'free' && order.grand_total > 0
    ? { ...order, payment_gateway: 'manual' }
    : order;

const withAffiliate: Step = (order, { affiliate_id }, state) => {
  const { named, customers, buyer, product } = state;
  if (affiliate_id === undefined || affiliate_id === order.affiliate_id) return order;
  if (affiliate_id === null) return { ...order, affiliate_id, attribution: null };
  if (!named) return unknownReference('affiliate_id');
  const attribution = attribute({
    buyer,
    couponOwner: undefined,
    orderAffiliate: named,
    linkAffiliate: undefined,
    link: undefined,
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
