import {
  type Instant,
  type OrderShipping,
  type OrderStatus,
  noShipping,
} from '../../../../src/exports/store.ts';
import { boughtTitle, plainText } from '../html-text.ts';
import type { Reason } from '../reasons.ts';
import {
  type ForeignOrder,
  type ForeignRefund,
  type ReadOrder,
  isPaid,
  statusOf,
} from '../records/order.ts';
import { because } from '../mapped.ts';
import { type Parts, keepsTax, undivided } from '../records/pricing.ts';
import { amountOf, idOf, quantityOf, utcOf } from '../values.ts';
import type { CouponLine } from './coupon-lines.ts';
import type { PermissionReader } from './downloads.ts';
import type { OrderRow } from './gathered.ts';
import { historyOf, isPlain } from './history.ts';
import { type Item, productIn, soldIn } from './items.ts';
import type { OrderNumber } from './numbers.ts';
import { linesOf, partsOf } from './parts.ts';
import type { Plan } from './plan.ts';
import { type Refund, refundsOf } from './refunds.ts';
import type { Variation } from './variations.ts';

/** The order that a chain's renewals repeat. */
export interface Root {
  readonly id: number;
  /** True if it was placed after the order that is read. */
  readonly isLater: boolean;
}

/** The rows that belong to an order. */
export interface OrderContext {
  readonly plan: Plan;
  readonly items: readonly Item[];
  readonly refunds: readonly Refund[];
  /** True if some of its items have an id that can't be kept. */
  readonly hasLostItems: boolean;
  /** The delivery address, by its parts. */
  readonly address: ReadonlyMap<string, string>;
  /** The placeholder product of lines without one. */
  readonly unknownProduct: number;
  readonly variations: ReadonlyMap<number, Variation>;
  /** The surcharge of a line's variation today. */
  readonly surchargeOf: (line: Item) => number;
  readonly affiliateId: number | null;
  /** Finds the order that a line renews, by its part and its product; null for a line of no subscription. */
  readonly rootOf: (part: number, product: number) => Root | null;
  /** Products that a subscription sold which is gone, or has another product now. */
  readonly strays: ReadonlySet<number>;
  /** The counter of a product or a variation. */
  readonly countersOf: (product: number, variation: number | null) => readonly string[];
  readonly number: OrderNumber;
  readonly permissionOf: ReturnType<PermissionReader>;
  readonly couponOf: (line: CouponLine) => { readonly id: number | null; readonly code: string };
}

/** Reads the fields that every order needs, or returns the reason for a refusal. */
export function neededOf(row: OrderRow, plan: Plan) {
  const total = amountOf(row.total, plan.exponent);
  const createdAt = utcOf(row.created);
  const status = plan.statuses.get(row.status);
  if (row.currency !== plan.currency) return 'other-currency';
  if (row.buyer === null) return 'buyer-missing';
  if (!total || total.units < 0) return 'amount-impossible';
  if (!createdAt) return 'date-unknown';
  return status ? { total, createdAt, status, userId: row.buyer } : 'status-unknown';
}

export const isRefused = (row: OrderRow, plan: Plan): boolean =>
  typeof neededOf(row, plan) === 'string';

/** Makes one order from each line of a shop's order. */
export function readOrder(row: OrderRow, around: OrderContext): ReadOrder {
  const needed = neededOf(row, around.plan);
  if (typeof needed === 'string') return { refusal: needed };
  const { total, createdAt, status, userId } = needed;
  const lines = linesOf(around.items);
  const parts = partsOf(lines, around.items, total.units, around.plan);
  const end = utcOf(row.updated) ?? createdAt;
  const { given, closedAt } = givenBack(around.refunds, {
    lines,
    parts,
    total: total.units,
    status,
    createdAt,
    end,
  });
  const orders = lines.map((line, i): ForeignOrder => {
    const [own, back] = [parts[i] ?? undivided(0), given[i] ?? []];
    const id = line.partId ?? row.id;
    const root = around.rootOf(id, productIn(line));
    const history = historyOf(row, createdAt, end, partStatus(status, own.total, back), closedAt);
    const isStray = around.strays.has(productIn(line)) && isPaid(statusOf({ history }));
    return {
      ...sharedOf(row, around, i, lines.length),
      id,
      rootId: root === null || root.id === id ? null : root.id,
      isBeforeRoot: root?.isLater ?? false,
      type: root === null ? 'regular' : 'subscription-regular',
      productId: productIn(line) || around.unknownProduct,
      title: boughtTitle(line.name),
      userId,
      quantity: itemsOf(line),
      history,
      revokedAt: isStray ? end : null,
      accessEndsAt: root === null ? around.permissionOf(soldIn(line)).until : null,
      parts: own,
      variants: variantsOf(line, around, root !== null),
      shipping: shippingOf(around, own.shipping),
      stockCounters: takenFrom(line, around),
      refunds: back,
      createdAt,
      updatedAt: end,
    };
  });
  const reasons = reasonsOf(row, around, { lines, status, isRounded: total.rounded, orders });
  return { orders, reasons };
}

/** Returns the refunds of each line, and the time of the last one. */
function givenBack(
  said: readonly Refund[],
  order: {
    lines: readonly Item[];
    parts: readonly Parts[];
    total: number;
    status: OrderStatus;
    createdAt: Instant;
    end: Instant;
  },
) {
  const { lines, parts, total, status, createdAt, end } = order;
  const refunds = said.map((refund) => ({ ...refund, at: refund.at || end }));
  const last = refunds.reduce((at, refund) => (refund.at > at ? refund.at : at), createdAt);
  const closedAt = refunds.length > 0 ? last : end;
  // A refunded order was paid back in full, even without an entry.
  const amount = total - sumOf(refunds);
  const closing = { at: closedAt, amount, reason: null, named: new Map<number, number>() };
  const given = refundsOf(
    lines.map(({ id }, i) => ({ id, total: parts[i]?.total ?? 0 })),
    status === 'refunded' && amount > 0 ? [...refunds, closing] : refunds,
  );
  return { given, closedAt };
}

const sumOf = (amounts: readonly { readonly amount: number }[]) =>
  amounts.reduce((sum, { amount }) => sum + amount, 0);

/** Counts the items of a line; a started unit of weight or length counts as one. */
export const itemsOf = ({ meta }: Item): number =>
  quantityOf(String(Math.ceil(Number(meta.get('_qty') ?? 1)))) ?? 1;

/** A fully refunded part is `refunded`, whatever the status of the other parts. */
const partStatus = (
  status: OrderStatus,
  total: number,
  refunds: readonly ForeignRefund[],
): OrderStatus => (isPaid(status) && total > 0 && sumOf(refunds) === total ? 'refunded' : status);

const couponsIn = (items: readonly Item[]): CouponLine[] =>
  items
    .filter(({ type }) => type === 'coupon')
    .map(({ name, meta }) => ({
      code: name,
      info: meta.get('coupon_info'),
      data: meta.get('coupon_data'),
    }));

const isManual = ({ gateway }: OrderRow) => (gateway ?? '').split(':')[0] === 'manual';

function sharedOf(row: OrderRow, around: OrderContext, i: number, of: number) {
  const { plan, items, couponOf } = around;
  const { number } = around.number;
  const used = couponsIn(items);
  const coupon = used[0] === undefined ? null : couponOf(used[0]);
  return {
    number: i === 0 ? number : `${number}-${i + 1}`,
    affiliateId: around.affiliateId,
    attribution: 'link' as const,
    gateway: isManual(row) ? 'woocommerce' : row.gateway || 'woocommerce',
    paidAt: utcOf(row.paid),
    currency: plan.currency,
    note: row.note?.trim() ? row.note.slice(0, 5000) : null,
    deletedAt: null,
    origin: {
      source: 'woocommerce',
      ...(of > 1 ? { order: row.id, line: i + 1, of } : {}),
      ...(row.gateway_title ? { payment: plainText(row.gateway_title) } : {}),
      ...(row.transaction_id ? { transaction_id: row.transaction_id } : {}),
      ...(used.length > 1 ? { coupons: used.map(({ code }) => plainText(code)) } : {}),
    },
    // A coupon counts as used once for all parts of an order.
    coupon: coupon && { ...coupon, id: i === 0 ? coupon.id : null },
  };
}

/** The variation of a line. Its surcharge is in the line's own price, and recorded for the renewals of a subscription. */
function variantsOf(
  line: Item,
  { variations, surchargeOf }: OrderContext,
  isSubscribed: boolean,
): ForeignOrder['variants'] {
  const id = idOf(line.meta.get('_variation_id'));
  if (id === null) return [];
  const label = (variations.get(id)?.label ?? plainText(line.name)).slice(0, 500);
  const variant = { group: 'variation', option_id: String(id), label };
  const renewed = isSubscribed ? { term_extra_price: surchargeOf(line) } : {};
  return [{ ...variant, extra_price: 0, extra_weight: 0, ...renewed }];
}

/**
 * Returns the counters that a line's units were taken from. The shop notes the units, and deletes the note when it gives
 * them back. If it gave back some of them, an order here keeps none.
 */
function takenFrom(line: Item, { countersOf }: OrderContext): readonly string[] {
  return Number(line.meta.get('_reduced_stock')) === itemsOf(line)
    ? countersOf(productIn(line), idOf(line.meta.get('_variation_id')))
    : [];
}

function shippingOf({ items, address }: OrderContext, cost: number): OrderShipping | null {
  const shipment = items.find(({ type }) => type === 'shipping');
  if (!shipment) return null;
  const of = (...names: readonly string[]) => names.flatMap((name) => address.get(name) || []);
  const country = of('country')[0] ?? '';
  return {
    ...noShipping,
    service: plainText(shipment.name).slice(0, 500),
    cost,
    receiver: [...of('first_name', 'last_name')].join(' ').slice(0, 500),
    phone: of('phone').join('').slice(0, 32),
    address: of('company', 'address_1', 'address_2', 'city', 'state').join(', ').slice(0, 500),
    postal_code: of('postcode').join('').slice(0, 20),
    country: /^[A-Z]{2}$/.test(country) ? country : '',
  };
}

function reasonsOf(
  row: OrderRow,
  { plan, items, refunds, couponOf, hasLostItems, permissionOf, number }: OrderContext,
  read: {
    readonly lines: readonly Item[];
    readonly status: OrderStatus;
    readonly isRounded: boolean;
    readonly orders: readonly ForeignOrder[];
  },
): Reason[] {
  const { lines, status, orders } = read;
  const taxes = lines.map(({ meta }) => amountOf(meta.get('_line_tax') || '0', plan.exponent));
  const used = couponsIn(items);
  const coupon = used[0] === undefined ? null : couponOf(used[0]);
  const given = sumOf(orders.flatMap((order) => order.refunds));
  const isRounded = [
    read.isRounded,
    ...refunds.map((one) => one.isRounded),
    ...taxes.map((tax) => tax?.rounded),
  ];
  return because({
    renamed: number.isTaken,
    'several-products': lines.length > 1,
    'lines-unknown': hasLostItems,
    'amount-rounded': isRounded.includes(true),
    'tax-differs': !orders.every(keepsTax),
    'value-impossible': taxes.includes(undefined),
    'status-mapped': !isPlain(row.status),
    'coupon-missing': coupon !== null && coupon.id === null,
    'several-coupons': used.length > 1,
    'product-unknown': lines.some((line) => productIn(line) === 0),
    'quantity-impossible': lines.some(({ meta }) => quantityOf(meta.get('_qty')) === undefined),
    'refunded-in-full': orders.some((order) => statusOf(order) !== status),
    'downloads-counted': lines.some((line) => permissionOf(soldIn(line)).isCounted),
    'subscription-missing': orders.some(({ revokedAt }) => revokedAt !== null),
    'refunds-differ': given !== sumOf(refunds) || refunds.some(({ isTold }) => !isTold),
    'no-own-figure': isManual(row),
  });
}
