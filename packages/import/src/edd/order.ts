import type { OrderStatus, OrderVariant } from '../../../../src/exports/store.ts';
import { boughtTitle } from '../html-text.ts';
import type { ItemRow, OrderRow } from './source.ts';
import { type Refusal, because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import {
  type ForeignOrder,
  type ForeignRefund,
  type OrderMoment,
  statusOf,
} from '../records/order.ts';
import { keepsTax, undivided } from '../records/pricing.ts';
import { spread } from '../records/split.ts';
import { type Amount, amountOf, currencyOf, idOf, quantityOf, utcOf } from '../values.ts';
import { type Plan, ignoredStatuses } from './plan.ts';
import { type Pricing, optionId, priceGroup, soldAs } from './products.ts';
import { type RefundRow, refundsOf, sumOf } from './refunds.ts';

interface Subscribed {
  readonly id: string;
  readonly product_id: string | null;
  readonly price_id: string | null;
}

/** The rows that belong to an order. */
export interface OrderContext {
  readonly plan: Plan;
  readonly items: readonly ItemRow[];
  readonly refunds: readonly RefundRow[];
  /** Its first discount, and whether there are others. */
  readonly coupon: { readonly id: number | null; readonly code: string } | null;
  readonly hasOtherCoupons: boolean;
  readonly transaction: string | null;
  readonly userId: number;
  readonly affiliateId: number | null;
  /** True if it renews a subscription that the shop still has. */
  readonly renews: boolean;
  /** The first order of its chain, if that is another. */
  readonly root: ForeignOrder | null;
  /** True if an earlier order has its number. */
  readonly isNumberTaken: boolean;
  /** The subscriptions that began with it. */
  readonly subscribed: readonly Subscribed[];
  /** Ids of its parts, the first its own. */
  readonly ids: readonly number[];
  readonly pricingOf: (productId: number) => Pricing;
}

/** The store's orders for a shop's order, one for each product, or the reason why there are none. */
export type ReadOrder =
  | {
      readonly orders: readonly ForeignOrder[];
      /** The part that each subscription belongs to, by the subscription's id. */
      readonly subscribed: ReadonlyMap<string, ForeignOrder>;
      readonly reasons: readonly Reason[];
    }
  | Refusal;

/** Reads the fields that every order needs, or returns the reason for a refusal. */
function neededOf(row: OrderRow, { plan, items }: OrderContext) {
  const status = plan.statuses.get(row.status ?? '');
  const total = amountOf(row.total, plan.exponent);
  const createdAt = utcOf(row.date_created);
  if (!status) return 'status-unknown';
  if (currencyOf(row.currency) !== plan.currency) return 'other-currency';
  if (!createdAt) return 'date-unknown';
  if (items.length === 0) return 'no-product';
  const divided = total && dividedBy(items, total.units, plan);
  return divided ? { ...divided, status, total, createdAt } : 'amount-impossible';
}

/**
 * Divides an order among its lines: each line's own amounts, and its share of amounts without a line. Undefined if an
 * amount is impossible.
 */
function dividedBy(items: readonly ItemRow[], total: number, plan: Plan) {
  const lines = items.flatMap((item) => lineOf(item, plan) ?? []);
  if (total < 0 || lines.length < items.length) return undefined;
  const own = lines.map((line) => line.total.units);
  const rest = total - sumOf(own);
  const rests = spread(
    rest,
    own.map((units) => Math.max(0, units)),
  );
  const totals = own.map((units, i) => units + (rests[i] ?? 0));
  return totals.some((amount) => amount < 0) ? undefined : { lines, rests, totals };
}

export function readOrder(row: OrderRow, around: OrderContext): ReadOrder {
  const { plan, items } = around;
  if (row.mode === 'test' || ignoredStatuses.includes(row.status ?? ''))
    return { refusal: 'status-ignored', outcome: 'left-out' };
  const needed = neededOf(row, around);
  if (typeof needed === 'string') return { refusal: needed };
  const { lines, rests, totals, status, total, createdAt } = needed;
  const lineOfSubscription = around.subscribed.map((one) => subscribedLine(items, one));
  const given = refundsOf(around.refunds, items, totals, plan, status, createdAt, row);
  const orders = lines.map((line, i) =>
    partOf(row, around, line, {
      i,
      status,
      createdAt,
      total: totals[i] ?? 0,
      fee: Math.max(0, rests[i] ?? 0),
      refunds: given[i] ?? [],
      isSubscribed: lineOfSubscription.includes(i),
    }),
  );
  const subscribed = around.subscribed.flatMap(({ id }, i): [string, ForeignOrder][] => {
    const part = orders[lineOfSubscription[i] ?? -1];
    return part ? [[id, part]] : [];
  });
  const amounts = [total, ...lines.flatMap((line) => line.amounts)];
  const reasons = because({
    'several-products': orders.length > 1,
    ...moneyFacts(around, status, amounts, orders),
    ...factsOf(row, around),
    returned: orders.some((part, i) => isReturned(items[i], part)),
    'term-missing': orders[0] !== undefined && isTermMissing(row, around, orders[0]),
    'closed-all-the-same': orders.some(
      (part, i) => isDelivered(items[i]) && statusOf(part) !== 'completed',
    ),
  });
  return { orders, subscribed: new Map(subscribed), reasons };
}

function moneyFacts(
  { refunds, plan }: OrderContext,
  status: OrderStatus,
  amounts: readonly Amount[],
  orders: readonly ForeignOrder[],
) {
  const there = refunds.map((refund) => amountOf(refund.total, plan.exponent));
  const given = sumOf(orders.flatMap((part) => part.refunds.map(({ amount }) => amount)));
  const said = -sumOf(there.map((amount) => amount?.units ?? NaN));
  return {
    'amount-rounded': [...amounts, ...there].some((amount) => amount?.rounded),
    'tax-differs': !orders.every(keepsTax),
    'refunds-differ': status !== 'refunded' && given !== said,
    'refunded-in-full': orders.some((part) => statusOf(part) !== status),
  };
}

const isRenewal = (row: OrderRow, { renews }: Pick<OrderContext, 'renews'>): boolean =>
  renews || row.status === 'edd_subscription';

/** Tells if a renewal would give access for ever, because its subscription is gone. */
const isTermMissing = (
  row: OrderRow,
  { renews }: OrderContext,
  part: Pick<ForeignOrder, 'history'>,
): boolean => row.status === 'edd_subscription' && !renews && statusOf(part) === 'completed';

const factsOf = (row: OrderRow, { coupon, root, userId, ...around }: OrderContext) => ({
  'several-coupons': around.hasOtherCoupons,
  'coupon-missing': coupon?.id === null,
  'quantity-impossible': around.items.some(({ quantity }) => quantityOf(quantity) === undefined),
  'parent-missing': isRenewal(row, around) && root === null,
  'other-buyer': root !== null && root.userId !== userId,
  renamed: around.isNumberTaken,
});

/** Tells if the shop delivers an item, whatever the status of its order. */
const isDelivered = (item?: ItemRow): boolean =>
  item?.status === 'complete' || item?.status === 'partially_refunded';

/** Tells if an item was returned without a full refund of its part. */
const isReturned = (item: ItemRow | undefined, part: Pick<ForeignOrder, 'history'>): boolean =>
  item?.status === 'refunded' && statusOf(part) === 'completed';

interface Line {
  readonly item: ItemRow;
  readonly productId: number;
  readonly quantity: number;
  readonly subtotal: Amount;
  readonly discount: Amount;
  readonly tax: Amount;
  readonly total: Amount;
  readonly amounts: readonly Amount[];
}

function lineOf(item: ItemRow, { exponent }: Plan): Line | undefined {
  const productId = idOf(item.product_id);
  const [subtotal, discount, tax, total] = [item.subtotal, item.discount, item.tax, item.total].map(
    (text) => amountOf(text, exponent),
  );
  if (productId === null || !subtotal || !discount || !tax || !total) return undefined;
  const amounts = [subtotal, discount, tax, total];
  const quantity = quantityOf(item.quantity) ?? 1;
  return { item, productId, quantity, subtotal, discount, tax, total, amounts };
}

interface Part {
  readonly i: number;
  readonly status: OrderStatus;
  readonly createdAt: string;
  readonly total: number;
  readonly fee: number;
  readonly refunds: readonly ForeignRefund[];
  readonly isSubscribed: boolean;
}

function partOf(row: OrderRow, around: OrderContext, line: Line, part: Part): ForeignOrder {
  const { i, createdAt, total, refunds } = part;
  const renews = i === 0 && isRenewal(row, around);
  const isSubscribed = part.isSubscribed || renews;
  const variants = variantsOf(line, around.pricingOf(line.productId), isSubscribed);
  const extras = sumOf(variants.map(({ extra_price }) => extra_price)) * line.quantity;
  const history = historyOf(row, part);
  const modifiedAt = utcOf(row.date_modified) ?? createdAt;
  const isRevoked =
    row.status === 'revoked' ||
    isReturned(line.item, { history }) ||
    (i === 0 && isTermMissing(row, around, { history }));
  return {
    ...sharedOf(row, around, i),
    productId: line.productId,
    title: boughtTitle(line.item.product_name),
    quantity: line.quantity,
    type: isSubscribed ? 'subscription-regular' : 'regular',
    history,
    gateway: gatewayOf(row, part.status),
    paidAt: null,
    parts: {
      ...undivided(total),
      goods: line.subtotal.units - extras,
      discount: line.discount.units,
      fee: part.fee,
      tax: line.tax.units,
    },
    variants,
    refunds,
    revokedAt: isRevoked ? (refunds.at(-1)?.at ?? modifiedAt) : null,
    createdAt,
    updatedAt: modifiedAt,
  };
}

function sharedOf(row: OrderRow, around: OrderContext, i: number) {
  const { ids, root, transaction } = around;
  const said = row.order_number || String(row.id);
  const number = around.isNumberTaken ? `${said} (${row.id})` : said;
  const place = { order: Number(row.id), line: i + 1, of: ids.length };
  return {
    id: ids[i] ?? Number(row.id),
    number: i === 0 ? number : `${number}-${i + 1}`,
    rootId: i === 0 ? (root?.id ?? null) : null,
    userId: around.userId,
    affiliateId: around.affiliateId,
    attribution: 'link' as const,
    // An order counts as one use of its coupon, however many parts it has.
    coupon: i === 0 ? around.coupon : null,
    currency: around.plan.currency,
    shipping: null,
    note: null,
    origin: {
      source: 'edd',
      ...(ids.length > 1 ? place : {}),
      ...(transaction ? { transaction_id: transaction } : {}),
    },
    deletedAt: null,
  };
}

/** The line of a subscription: the one with its product and price, otherwise the first with its product. */
function subscribedLine(items: readonly ItemRow[], { product_id, price_id }: Subscribed): number {
  const isSame = (item: ItemRow) => idOf(item.product_id) === idOf(product_id);
  const priced = items.findIndex((item) => isSame(item) && item.price_id === price_id);
  return priced === -1 ? items.findIndex(isSame) : priced;
}

/** Gives an open manual order a gateway of its own, so that no transfer of the same amount pays it. */
const gatewayOf = ({ gateway }: OrderRow, status: OrderStatus): string =>
  gateway === 'manual' && (status === 'on-hold' || status === 'payment-confirm')
    ? 'edd'
    : gateway || 'edd';

function variantsOf(
  { item, subtotal, quantity }: Line,
  { price, options }: Pricing,
  isSubscribed: boolean,
): OrderVariant[] {
  if (item.price_id === null || item.price_id === '') return [];
  const option = options.find(({ id }) => id === item.price_id);
  const sold = soldAs(item.product_name);
  const extra = option ? option.amount - price : 0;
  return [
    {
      group: priceGroup,
      option_id: optionId(item.price_id),
      label: (sold.option || option?.name || sold.product).slice(0, 500),
      // Today's surcharge may be more than the price at the time of the sale.
      extra_price: extra * quantity <= subtotal.units ? extra : 0,
      extra_weight: 0,
      ...(isSubscribed ? { term_extra_price: extra } : {}),
    },
  ];
}

function historyOf(row: OrderRow, part: Part): readonly [OrderMoment, ...OrderMoment[]] {
  const { status, createdAt, refunds, total } = part;
  const completedAt = utcOf(row.date_completed);
  const modifiedAt = utcOf(row.date_modified) ?? createdAt;
  const wasPaid = status === 'completed' || status === 'refunded';
  const note = `${row.status} in the shop`;
  const first: OrderMoment = {
    at: createdAt,
    status: wasPaid || status === 'cancelled' ? 'on-hold' : status,
  };
  const moments: [OrderMoment, ...OrderMoment[]] = [first];
  if (wasPaid) moments.push({ at: completedAt ?? createdAt, status: 'completed' });
  if (status === 'cancelled') moments.push({ at: modifiedAt, status, note });
  const given = sumOf(refunds.map(({ amount }) => amount));
  const isRefunded =
    status === 'refunded' || (status === 'completed' && total > 0 && given === total);
  if (isRefunded) moments.push({ at: refunds.at(-1)?.at ?? modifiedAt, status: 'refunded' });
  return moments;
}
