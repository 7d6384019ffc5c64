import {
  type OrderShipping,
  type OrderStatus,
  type OrderType,
  type OrderVariant,
  noShipping,
  orderStatuses,
  orderTypes,
  taxWithin,
} from '../../../../src/exports/store.ts';
import { because } from '../mapped.ts';
import {
  type ForeignOrder,
  type OrderMoment,
  type ReadOrder,
  isClosed,
  isUnpaid,
} from '../records/order.ts';
import { type Parts, undivided } from '../records/pricing.ts';
import type { PhpArray, PhpValue } from '../serialized.ts';
import type { StagedRow } from '../source.ts';
import {
  amountOf,
  asArray,
  asText,
  idOf,
  isStrangeId,
  isTruthy,
  keptValue,
  localOf,
  phpArray,
} from '../values.ts';
import { keyOf } from '../wordpress-meta.ts';
import type { Plan } from './plan.ts';
import type { sejoli } from './source.ts';

export type OrderRow = StagedRow<typeof sejoli, 'sejolisa_orders'>;

/** The rows that belong to an order. */
export interface OrderContext {
  readonly plan: Plan;
  /** The first order of its chain, if that is another. */
  readonly rootId: number | null;
  /** The sign-up fee of its product, in the smallest unit. */
  readonly signupFee: number;
  /** Its coupon, if that still exists. */
  readonly coupon: {
    readonly id: number;
    readonly code: string;
    readonly ownerId: number | null;
  } | null;
  readonly sponsorId: number | null;
  /** True if an earlier open order has the same total. */
  readonly isFigureTaken: boolean;
  /** True if the shop knows the end of its term; not read for orders without a subscription. */
  readonly hasTerm: boolean;
  /** The title of its product; null if that is gone. */
  readonly title: string | null;
}

/** Reads the fields that every order needs, or returns the reason for a refusal. */
export function neededOf(row: OrderRow, plan: Plan) {
  const total = amountOf(row.grand_total, plan.exponent);
  const createdAt = localOf(row.created_at, plan.timezone);
  const userId = idOf(row.user_id);
  const productId = idOf(row.product_id);
  const status = plan.statuses.get(row.status ?? '');
  if (userId === null) return 'buyer-missing';
  if (productId === null) return 'no-product';
  if (!total || total.units < 0) return 'amount-impossible';
  if (!createdAt) return 'date-unknown';
  if (!status) return 'status-unknown';
  return { total, createdAt, userId, productId, status };
}

export function readOrder(row: OrderRow, around: OrderContext): ReadOrder {
  const needed = neededOf(row, around.plan);
  if (typeof needed === 'string') return { refusal: needed };
  const { total, createdAt, status, ...ids } = needed;
  const meta = phpArray(row.meta_data);
  const type = orderTypes.find((known) => known === row.type) ?? 'regular';
  const lines = linesOf(row, around, { meta, type, total: total.units, isOpen: isUnpaid(status) });
  const history = historyOf(row, meta, status, createdAt, around.plan);
  const end = history.at(-1) ?? history[0];
  const refund = { at: end.at, amount: total.units, reason: null };
  const isTermMissing = type !== 'regular' && status === 'completed' && !around.hasTerm;
  const order: ForeignOrder = {
    ...ids,
    ...sharedOf(row, around, meta),
    ...lines.columns,
    type,
    history,
    paidAt: null,
    refunds: end.status === 'refunded' && total.units > 0 ? [refund] : [],
    createdAt,
    updatedAt: localOf(row.updated_at, around.plan.timezone) ?? createdAt,
    revokedAt: isTermMissing ? end.at : null,
  };
  const reasons = because({
    'amount-rounded': total.rounded,
    'value-impossible': isStrange(row),
    'status-mapped': status !== row.status,
    'unreadable-details': !meta,
    ...lines.facts,
    'coupon-missing': idOf(row.coupon_id) !== null && !around.coupon,
    deleted: end.status !== status,
    'term-missing': isTermMissing,
  });
  return { orders: [order], reasons };
}

const isStrange = (row: OrderRow): boolean =>
  !orderTypes.some((known) => known === row.type) ||
  idOf(row.quantity) === null ||
  isStrangeId(row.affiliate_id) ||
  !row.payment_gateway ||
  isStrangeId(row.order_parent_id);

function sharedOf(row: OrderRow, around: OrderContext, meta: PhpArray | undefined) {
  const { plan, coupon, sponsorId } = around;
  const affiliateId = idOf(row.affiliate_id);
  const bySponsor = sponsorId === affiliateId ? 'sponsor' : 'link';
  return {
    id: Number(row.ID),
    number: `INV-${(row.ID ?? '').padStart(6, '0')}`,
    rootId: around.rootId,
    title: around.title,
    affiliateId,
    attribution: coupon && coupon.ownerId === affiliateId ? 'coupon' : bySponsor,
    coupon: coupon && { id: coupon.id, code: coupon.code },
    currency: plan.currency,
    note: asText(meta?.['note']) || null,
    origin: originOf(row, meta, affiliateId !== null),
    deletedAt: localOf(row.deleted_at, plan.timezone),
  } as const;
}

/** Divides an order's total into its parts, as far as possible. */
function linesOf(
  row: OrderRow,
  { plan, signupFee, isFigureTaken }: OrderContext,
  order: { meta: PhpArray | undefined; type: OrderType; total: number; isOpen: boolean },
) {
  const { meta, type, total, isOpen } = order;
  const quantity = idOf(row.quantity) ?? 1;
  const variants = variantsOf(meta, plan);
  const signup = type === 'subscription-signup' ? signupFee * quantity : 0;
  const read = meta && partsOf(row, meta, total, { plan, variants, quantity, signup });
  const parts = read ?? undivided(total);
  const isTold = parts.uniqueCode !== 0 && !isFigureTaken;
  const isUntold = isOpen && !isTold;
  return {
    columns: {
      quantity,
      gateway: isUntold && isTransfer(row) ? 'sejoli' : row.payment_gateway || 'manual',
      // No two orders that wait for a transfer may have the same total.
      parts: isUntold ? { ...parts, uniqueCode: 0 } : parts,
      variants: read ? variants : [],
      shipping: meta ? shippingOf(meta, parts.shipping) : null,
    },
    facts: {
      'lines-unknown': meta !== undefined && !read,
      'figure-taken': isUntold && parts.uniqueCode !== 0,
      'no-own-figure': isUntold && isTransfer(row),
    },
  };
}

/** Tells if an order is paid by transfer or names no gateway. Its total identifies such an order while it is open. */
const isTransfer = ({ payment_gateway }: OrderRow): boolean =>
  /^(?:manual(?::.*)?)?$/.test(payment_gateway ?? '');

/** Reads the variants in an order's details: `{type, label, raw_price, weight}`. */
function variantsOf(meta: PhpArray | undefined, { exponent }: Plan): OrderVariant[] {
  return Object.values(asArray(meta?.['variants']) ?? {}).map((value) => {
    const variant = asArray(value) ?? {};
    const label = asText(variant['label']);
    const group = keyOf(asText(variant['type']), 'variant');
    return {
      group,
      option_id: keyOf(label, 'option'),
      label: label.slice(0, 500),
      extra_price: amountOf(asText(variant['raw_price']), exponent)?.units ?? 0,
      extra_weight: weightOf(asText(variant['weight'])),
    };
  });
}

/** The whole grams in a text, 0 if there are none. */
function weightOf(text: string): number {
  const grams = Math.trunc(Number(text));
  return Number.isSafeInteger(grams) ? grams : 0;
}

/**
 * Divides a total. The shop stored all parts but the price of the goods, which is the rest. Undefined if a part is
 * below 0: then the total contains something else.
 */
function partsOf(
  row: OrderRow,
  meta: PhpArray,
  total: number,
  {
    plan,
    variants,
    quantity,
    signup,
  }: { plan: Plan; variants: readonly OrderVariant[]; quantity: number; signup: number },
): Parts | undefined {
  const amount = (value: PhpValue | undefined) =>
    amountOf(asText(value), plan.exponent)?.units ?? 0;
  const coupon = asArray(meta['coupon']);
  const isFree = isTruthy(meta['free_shipping']) || isTruthy(coupon?.['free_shipping']);
  const cost = amount(asArray(meta['shipping_data'])?.['cost']);
  const shipping = isFree ? 0 : cost;
  const taken = amount(coupon?.['discount']);
  // In Sejoli, free shipping is part of the discount, but its cost is part of no amount.
  const discount = Math.max(0, isFree && taken >= cost ? taken - cost : taken);
  const fee = amount(meta['markup_price']);
  // A free order has a code too, which no total contains.
  const code = total === 0 ? 0 : amount(asArray(meta[row.payment_gateway ?? ''])?.['unique_code']);
  const uniqueCode = plan.isReduced ? -Math.abs(code) : code;
  const taxed = total - uniqueCode - shipping - fee + amount(meta['wallet']);
  const percent = Math.min(100, Math.max(0, Number(asText(meta['ppn'])) || 0));
  const tax = taxed > 0 ? taxWithin(taxed, percent) : 0;
  const extras = variants.reduce((sum, { extra_price }) => sum + extra_price, 0) * quantity;
  const rest = taxed - tax - extras + discount;
  // The fee at the time of the order may have been lower than today's.
  const signedUp = rest - signup >= 0 ? signup : 0;
  const goods = rest - signedUp;
  return Math.min(goods, cost, fee, uniqueCode + total) < 0
    ? undefined
    : { goods, signup: signedUp, discount, shipping, fee, uniqueCode, tax, total };
}

/** An order's history: the shop's log, with a beginning and an end that fit the order. */
function historyOf(
  row: OrderRow,
  meta: PhpArray | undefined,
  status: OrderStatus,
  createdAt: string,
  plan: Plan,
): readonly [OrderMoment, ...OrderMoment[]] {
  const logged = Object.values(asArray(meta?.['status_log']) ?? {})
    .flatMap((value) => logEntry(asArray(value) ?? {}, plan))
    .filter(({ at }) => at >= createdAt)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const first: OrderMoment = { at: createdAt, status: logged[0]?.from ?? status };
  const moments: [OrderMoment, ...OrderMoment[]] = [first];
  const last = () => moments.at(-1) ?? first;
  for (const { at, to } of logged) if (to !== last().status) moments.push({ at, status: to });
  const updatedAt = localOf(row.updated_at, plan.timezone) ?? createdAt;
  const end = updatedAt > last().at ? updatedAt : last().at;
  if (last().status !== status) moments.push({ at: end, status });
  const deletedAt = localOf(row.deleted_at, plan.timezone);
  if (deletedAt !== null && !isClosed(status))
    moments.push({ at: deletedAt, status: 'cancelled', note: `deleted while ${status}` });
  return moments;
}

/** `{old_status, new_status, update_date}`, the date as `31-01-2026 08:00:00`. */
function logEntry(entry: PhpArray, { timezone }: Plan) {
  const known = (name: string) => orderStatuses.find((status) => status === asText(entry[name]));
  const [to, from] = [known('new_status'), known('old_status')];
  const date = asText(entry['update_date']).replace(/^(\d\d)-(\d\d)-(\d{4})/, '$3-$2-$1');
  const at = localOf(date, timezone);
  return to && at ? [{ at, to, from }] : [];
}

function shippingOf(meta: PhpArray, cost: number): OrderShipping | null {
  const data = asArray(meta['shipping_data']);
  if (!data) return null;
  const of = (name: string, most = 500) => asText(data[name]).slice(0, most);
  return {
    ...noShipping,
    courier: of('courier'),
    service: of('service'),
    cost,
    receiver: of('receiver'),
    phone: of('phone', 32),
    address: [of('address', 1000), of('district_name')].filter(Boolean).join(', ').slice(0, 500),
    postal_code: of('postal_code', 20),
    country: 'ID',
    tracking_number: of('resi_number'),
  };
}

function originOf(row: OrderRow, meta: PhpArray | undefined, isDerived: boolean) {
  const parent = idOf(row.order_parent_id);
  const acquisition = asArray(meta?.['acquisition']);
  return {
    source: 'sejoli',
    // The shop doesn't record how an order came to its affiliate.
    ...(isDerived ? { derived: true } : {}),
    ...(parent === null ? {} : { order_parent_id: parent }),
    ...(acquisition ? { acquisition: keptValue(acquisition) } : {}),
  };
}
