import { isRefusal } from '../../kernel/errors/errors.ts';
import type { AgreedTerms, OrderShipping, OrderVariant } from '../../schema/orders.ts';
import type { SubscriptionColumns } from '../../schema/subscriptions.ts';
import { addMilliseconds, daysUntil } from '../../lib/calendar.ts';
import type { Instant } from '../../lib/instant.ts';
import type { GroupColumns } from '../../schema/groups.ts';
import { groupPrice } from '../group/rules.ts';
import { shippingTerms, totalsOf } from '../pricing/price.ts';
import { type ProductRow, priceOf } from '../product/rules.ts';
import {
  type ChainSignup,
  type ProductTerms,
  lowestFor,
  agreedProduct,
  isCovered,
  nextType,
  renewableUntil,
  renewedGroups,
  renewedShipping,
  surchargeOf,
} from './offer.ts';
import type { StoreSubscription, Subscription } from './schemas.ts';

export interface SubscriptionRow {
  readonly subscription: SubscriptionColumns;
  /** Instalments of the plan that are paid or open. */
  readonly instalments: number;
  readonly product: ProductTerms &
    Pick<ProductRow['product'], 'id' | 'title' | 'variants' | 'deleted_at'>;
  /** Of the first order, like the quantity. */
  readonly agreed: Pick<AgreedTerms, 'plan'>;
  readonly quantity: number;
  /** Of the last term. */
  readonly variants: readonly OrderVariant[];
  readonly group: GroupColumns | null;
  readonly timezone: string;
}

/** The facts that price a renewal. */
export type Renewal = Pick<SubscriptionRow, 'agreed' | 'quantity' | 'variants' | 'group'> & {
  readonly subscription: Pick<SubscriptionColumns, 'next_price'>;
  readonly product: Omit<SubscriptionRow['product'], 'title' | 'deleted_at'>;
};

/** The facts that price a renewal's order. */
export type RenewalOrder = Renewal & {
  readonly subscription: Pick<SubscriptionColumns, 'type'>;
  readonly signup: ChainSignup | null;
  readonly product: Pick<ProductRow['product'], 'type' | 'tax' | 'shipping'>;
  /** Of the first order. */
  readonly shipping: Pick<OrderShipping, 'option_id' | 'country'> | null;
};

function unitPrice(renewal: Renewal): number {
  const {
    subscription: { next_price },
    product,
    agreed,
    group,
  } = renewal;
  const price = next_price ?? agreed.plan?.price;
  return Math.max(
    price ?? groupPrice(group, { id: product.id, price: priceOf(product) }),
    lowestPrice(renewal),
  );
}

const optionsOf = ({ product, agreed, variants }: Renewal) =>
  agreed.plan ? [] : renewedGroups(product, variants).flatMap(({ options }) => options);

/** The lowest price that the renewal's options leave at 0 or more. */
export const lowestPrice = (renewal: Renewal): number => lowestFor(optionsOf(renewal));

/** The price of a renewal's goods. */
export const renewPrice = (renewal: Renewal): number =>
  (unitPrice(renewal) + surchargeOf(optionsOf(renewal))) * renewal.quantity;

/**
 * The total of a renewal's order: also with the sign-up fee after a trial, shipping and added tax.
 * @param fee_total of the way to pay
 */
export function renewTotal(renewal: RenewalOrder, fee_total = 0): number {
  const { agreed, quantity, shipping } = renewal;
  const { plan } = agreed;
  const product = agreedProduct(renewal.product, plan);
  const { signup } = product.subscription;
  const option = renewedShipping(product, shipping, plan);
  const totals = totalsOf(
    {
      unit_price: unitPrice(renewal),
      variants: optionsOf(renewal),
      signup_fee: nextType(product, renewal) === 'subscription-signup' ? signup.fee : 0,
      fee_total,
      tax: product.tax,
      coupon: null,
      shipping: option ? shippingTerms(option, product.shipping) : null,
    },
    quantity,
  );
  return isRefusal(totals) ? renewPrice(renewal) : totals.grand_total;
}

/** An end counts from its time, even before a job records it. */
export function statusAt(
  { status, end_date, cancelled_at }: SubscriptionColumns,
  now: Instant,
): SubscriptionColumns['status'] {
  if (status !== 'active' || end_date === null || end_date > now) return status;
  return overStatus(cancelled_at);
}

export const overStatus = (cancelled_at: Instant | null) =>
  cancelled_at === null ? 'expired' : 'cancelled';

/** Tells if a plan is fully paid. */
export const isComplete = ({
  payments,
  paid,
}: Pick<SubscriptionColumns, 'payments' | 'paid'>): boolean =>
  payments !== null && (paid ?? 0) >= payments;

/** Null during a pause without an end: unknown. */
function endOf({ status, end_date, paused_at, resumes_at }: SubscriptionColumns) {
  if (status !== 'paused' || end_date === null || paused_at === null) return end_date;
  return resumes_at && addMilliseconds(end_date, Date.parse(resumes_at) - Date.parse(paused_at));
}

const scheduledOf = (
  subscription: SubscriptionColumns,
  now: Instant,
): Subscription['scheduled'] => {
  const { cancelled_at, next_price, cancelled_by } = subscription;
  const status = statusAt(subscription, now);
  const isOver = status !== 'active' && status !== 'paused';
  return [
    ...(cancelled_at !== null && !isOver
      ? [{ change: 'cancel' as const, at: endOf(subscription), by: cancelled_by ?? 'store' }]
      : []),
    ...(next_price === null ? [] : [{ change: 'price' as const, price: next_price }]),
  ];
};

/** During a pause, the days that were left at its beginning. */
function daysLeft(
  { status, end_date, paused_at }: SubscriptionColumns,
  now: Instant,
  timezone: string,
): number | null {
  const isPaused = status === 'paused';
  if (end_date === null) return isPaused || status === 'active' ? null : 0;
  return daysUntil(end_date, isPaused ? (paused_at ?? now) : now, timezone);
}

export function toSubscription(row: SubscriptionRow, now: Instant): Subscription {
  const { subscription, product, timezone } = row;
  const { order_id, first_order_id, cancelled_at } = subscription;
  const status = statusAt(subscription, now);
  const end = endOf(subscription);
  const until = end && renewableUntil(product, end, timezone);
  const isRenewable =
    !isCovered(row.agreed.plan, row.instalments) &&
    ['active', 'paused', 'expired'].includes(status) &&
    cancelled_at === null &&
    (until === null || until >= now);
  return {
    ...subscription,
    order_parent_id: first_order_id === order_id ? null : first_order_id,
    product_name: product.title,
    status,
    end_date: end,
    days_left: daysLeft({ ...subscription, status }, now, timezone),
    renewable: isRenewable && product.deleted_at === null,
    renewable_until: until,
    renew_price: renewPrice(row),
    scheduled: scheduledOf(subscription, now),
  };
}

export interface StoreSubscriptionRow extends SubscriptionRow {
  readonly user: {
    readonly id: number;
    readonly display_name: string;
    readonly email: string | null;
  };
}

export const toStoreSubscription = (
  row: StoreSubscriptionRow,
  now: Instant,
): StoreSubscription => ({
  ...row.subscription,
  ...toSubscription(row, now),
  user: row.user,
});
