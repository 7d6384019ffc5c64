import * as store from '../../../../src/exports/store.ts';
import { because } from '../mapped.ts';
import {
  type ForeignOrder,
  type OrderMoment,
  type Read,
  isClosed,
  isUnpaid,
} from '../records/order.ts';
import { type Parts, undivided } from '../records/pricing.ts';
import type { PhpArray, PhpValue } from '../serialized.ts';
import type { StagedRow } from '../source.ts';
import * as values from '../values.ts';
import { keyOf } from '../wordpress-meta.ts';
import type { Plan } from './plan.ts';
import type { sejoli } from './source.ts';

export type OrderRow = StagedRow<typeof sejoli, 'sejolisa_orders'>;

/** The rows that an order is read with, beside its own. */
export interface Around {
  readonly plan: Plan;
  /** The first order of its chain, where it isn't that itself. */
  readonly rootId: number | null;
  /** What signing up for its product costs once, in the smallest unit. */
  readonly signupFee: number;
  /** Its coupon, where that is there. */
  readonly coupon: {
    readonly id: number;
    readonly code: string;
    readonly ownerId: number | null;
  } | null;
  /** Who brought its buyer. */
  readonly sponsorId: number | null;
  /** Whether another open order comes to the same. */
  readonly isFigureTaken: boolean;
  /** Whether the shop knows until when it lasts; not asked of what is no subscription. */
  readonly hasTerm: boolean;
  /** The title of its product; null where that is gone. */
  readonly title: string | null;
}

/** Reads the fields that every order needs, or answers why a row can't be one. */
export function neededOf(row: OrderRow, plan: Plan) {
  const total = values.amountOf(row.grand_total, plan.exponent);
  const createdAt = values.localOf(row.created_at, plan.timezone);
  const userId = values.idOf(row.user_id);
  const productId = values.idOf(row.product_id);
  const status = plan.statuses.get(row.status ?? '');
  if (userId === null) return 'buyer-missing';
  if (productId === null) return 'no-product';
  if (!total || total.units < 0) return 'amount-impossible';
  if (!createdAt) return 'date-unknown';
  if (!status) return 'status-unknown';
  return { total, createdAt, userId, productId, status };
}

/** Makes an order of a row of the shop. It is as it was but for what the reasons say. */
export function readOrder(row: OrderRow, around: Around): Read {
  const needed = neededOf(row, around.plan);
  if (typeof needed === 'string') return { refusal: needed };
  const { total, createdAt, status, ...ids } = needed;
  const meta = values.phpArray(row.meta_data);
  const type = store.orderTypes.find((known) => known === row.type) ?? 'regular';
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
    refunds: end.status === 'refunded' && total.units > 0 ? [refund] : [],
    createdAt,
    updatedAt: values.localOf(row.updated_at, around.plan.timezone) ?? createdAt,
    revokedAt: isTermMissing ? end.at : null,
  };
  const reasons = because({
    'amount-rounded': total.rounded,
    'value-impossible': isStrange(row),
    'status-mapped': status !== row.status,
    'unreadable-details': !meta,
    ...lines.facts,
    'coupon-missing': values.idOf(row.coupon_id) !== null && !around.coupon,
    deleted: end.status !== status,
    'term-missing': isTermMissing,
  });
  return { orders: [order], reasons };
}

/** Tells an order with a value that no order can have. */
const isStrange = (row: OrderRow): boolean =>
  !store.orderTypes.some((known) => known === row.type) ||
  values.idOf(row.quantity) === null ||
  values.isStrangeId(row.affiliate_id) ||
  !row.payment_gateway ||
  values.isStrangeId(row.order_parent_id);

/** The fields of an order from its own row and from what is around it. */
function sharedOf(row: OrderRow, around: Around, meta: PhpArray | undefined) {
  const { plan, coupon, sponsorId } = around;
  const affiliateId = values.idOf(row.affiliate_id);
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
    note: values.asText(meta?.['note']) || null,
    origin: originOf(row, meta, affiliateId !== null),
    deletedAt: values.localOf(row.deleted_at, plan.timezone),
  } as const;
}

/** The parts of an order: its goods and what was added to them, as far as these can be told apart. */
function linesOf(
  row: OrderRow,
  { plan, signupFee, isFigureTaken }: Around,
  order: { meta: PhpArray | undefined; type: store.OrderType; total: number; isOpen: boolean },
) {
  const { meta, type, total, isOpen } = order;
  const quantity = values.idOf(row.quantity) ?? 1;
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
      // Of orders that wait for a transfer no two may come to the same.
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

/** Whether an order is paid by transfer, of which an open one is known by its figure; so is one paid by nothing. */
const isTransfer = ({ payment_gateway }: OrderRow): boolean =>
  /^(?:manual(?::.*)?)?$/.test(payment_gateway ?? '');

/** What a variant has in an order's details: `{type, label, raw_price, weight}`. */
function variantsOf(meta: PhpArray | undefined, { exponent }: Plan): store.OrderVariant[] {
  return Object.values(values.asArray(meta?.['variants']) ?? {}).map((value) => {
    const variant = values.asArray(value) ?? {};
    const label = values.asText(variant['label']);
    const group = keyOf(values.asText(variant['type']), 'variant');
    return {
      group,
      option_id: keyOf(label, 'option'),
      label: label.slice(0, 500),
      extra_price:
        values.amountOf(values.asText(variant['raw_price']) || null, exponent)?.units ?? 0,
      extra_weight: weightOf(values.asText(variant['weight'])),
    };
  });
}

/** Whole grams that a text says, 0 where it says none. */
function weightOf(text: string): number {
  const grams = Math.trunc(Number(text));
  return Number.isSafeInteger(grams) ? grams : 0;
}

/**
 * The parts of a total, of which the shop kept all but the price: what is left is the goods. Undefined where nothing
 * is: then something else must have been counted in it.
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
  }: { plan: Plan; variants: readonly store.OrderVariant[]; quantity: number; signup: number },
): Parts | undefined {
  const amount = (value: PhpValue | undefined) =>
    values.amountOf(values.asText(value) || null, plan.exponent)?.units ?? 0;
  const coupon = values.asArray(meta['coupon']);
  const isFree =
    values.isTruthy(meta['free_shipping']) || values.isTruthy(coupon?.['free_shipping']);
  const cost = amount(values.asArray(meta['shipping_data'])?.['cost']);
  const shipping = isFree ? 0 : cost;
  const taken = amount(coupon?.['discount']);
  // Free shipping is a part of the discount there, and its cost a part of nothing.
  const discount = Math.max(0, isFree && taken >= cost ? taken - cost : taken);
  const fee = amount(meta['markup_price']);
  // What costs nothing has a code too, and it is in no total.
  const code =
    total === 0 ? 0 : amount(values.asArray(meta[row.payment_gateway ?? ''])?.['unique_code']);
  const uniqueCode = plan.isReduced ? -Math.abs(code) : code;
  const taxed = total - uniqueCode - shipping - fee + amount(meta['wallet']);
  const percent = Math.min(100, Math.max(0, Number(values.asText(meta['ppn'])) || 0));
  const tax = taxed > 0 ? store.taxWithin(taxed, percent) : 0;
  const extras = variants.reduce((sum, { extra_price }) => sum + extra_price, 0) * quantity;
  const rest = taxed - tax - extras + discount;
  // Today's fee, which need not be that of then.
  const signedUp = rest - signup >= 0 ? signup : 0;
  const goods = rest - signedUp;
  return Math.min(goods, cost, fee, uniqueCode + total) < 0
    ? undefined
    : { goods, signup: signedUp, discount, shipping, fee, uniqueCode, tax, total };
}

/** An order's life: the shop's log, begun and ended so that it fits what the order is. */
function historyOf(
  row: OrderRow,
  meta: PhpArray | undefined,
  status: store.OrderStatus,
  createdAt: string,
  plan: Plan,
): readonly [OrderMoment, ...OrderMoment[]] {
  const logged = Object.values(values.asArray(meta?.['status_log']) ?? {})
    .flatMap((value) => logEntry(values.asArray(value) ?? {}, plan))
    .filter(({ at }) => at >= createdAt)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const first: OrderMoment = { at: createdAt, status: logged[0]?.from ?? status };
  const moments: [OrderMoment, ...OrderMoment[]] = [first];
  const last = () => moments.at(-1) ?? first;
  for (const { at, to } of logged) if (to !== last().status) moments.push({ at, status: to });
  const updatedAt = values.localOf(row.updated_at, plan.timezone) ?? createdAt;
  const end = updatedAt > last().at ? updatedAt : last().at;
  if (last().status !== status) moments.push({ at: end, status });
  const deletedAt = values.localOf(row.deleted_at, plan.timezone);
  if (deletedAt !== null && !isClosed(status))
    moments.push({ at: deletedAt, status: 'cancelled', note: `deleted while ${status}` });
  return moments;
}

/** `{old_status, new_status, update_date}`, the date as `31-01-2026 08:00:00`. */
function logEntry(entry: PhpArray, { timezone }: Plan) {
  const known = (name: string) =>
    store.orderStatuses.find((status) => status === values.asText(entry[name]));
  const [to, from] = [known('new_status'), known('old_status')];
  const date = values.asText(entry['update_date']).replace(/^(\d\d)-(\d\d)-(\d{4})/, '$3-$2-$1');
  const at = values.localOf(date, timezone);
  return to && at ? [{ at, to, from }] : [];
}

function shippingOf(meta: PhpArray, cost: number): store.OrderShipping | null {
  const data = values.asArray(meta['shipping_data']);
  if (!data) return null;
  const of = (name: string, most = 500) => values.asText(data[name]).slice(0, most);
  return {
    ...store.noShipping,
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
  const parent = values.idOf(row.order_parent_id);
  const acquisition = values.asArray(meta?.['acquisition']);
  return {
    source: 'sejoli',
    // How it came to its affiliate isn't kept there.
    ...(isDerived ? { derived: true } : {}),
    ...(parent === null ? {} : { order_parent_id: parent }),
    ...(acquisition ? { acquisition: values.keptValue(acquisition) } : {}),
  };
}
