import {
  type Earnings,
  type Instant,
  type OrderShipping,
  type OrderStatus,
  type OrderType,
  type OrderVariant,
  accessGrants,
  attributionSources,
  couponRedemptions,
  isPaidOnDelivery,
  orderHistory,
  orders,
  paidStatuses,
  payableClaims,
  refunds,
} from '../../../../src/exports/store.ts';
import { type ImportedRow, type NewRow, type Refusal, insertInto } from '../mapped.ts';
import type { Numbers } from '../numbers.ts';
import type { Reason } from '../reasons.ts';
import { type Parts, pricedAs } from './pricing.ts';

export interface OrderMoment {
  readonly at: Instant;
  readonly status: OrderStatus;
  readonly note?: string;
}

export interface ForeignRefund {
  readonly at: Instant;
  /** In the smallest unit of the order's currency, above 0. */
  readonly amount: number;
  readonly reason: string | null;
}

/** An order of another shop. Amounts are in the smallest unit of its currency. */
export interface ForeignOrder {
  readonly id: number;
  readonly number: string;
  /** The first order of its chain; null if that is this order, or there is no chain. */
  readonly rootId: number | null;
  /** True if that order is inserted after this one: the subscription's import writes it. */
  readonly isBeforeRoot?: boolean;
  readonly productId: number;
  /** The title at the time of purchase; null if unknown. */
  readonly title: string | null;
  readonly userId: number;
  readonly affiliateId: number | null;
  readonly attribution: (typeof attributionSources)[number];
  /** The id is null if the coupon is gone. */
  readonly coupon: { readonly id: number | null; readonly code: string } | null;
  readonly quantity: number;
  readonly type: OrderType;
  /** The last status is the current one. */
  readonly history: readonly [OrderMoment, ...OrderMoment[]];
  readonly gateway: string;
  /** The time of payment by the shop's own record; null if it keeps none. */
  readonly paidAt: Instant | null;
  readonly currency: string;
  readonly parts: Parts;
  readonly variants: readonly OrderVariant[];
  readonly shipping: OrderShipping | null;
  /** The counters that its units were taken from; none by default. */
  readonly stockCounters?: readonly string[];
  readonly note: string | null;
  /** Fields without a column of their own, for `meta.import`. */
  readonly origin: Readonly<Record<string, unknown>>;
  readonly refunds: readonly ForeignRefund[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** The time at which its access was revoked by hand; null if it wasn't. */
  readonly revokedAt: Instant | null;
  /** The end of its access; null = never, by default. A subscription ends its own. */
  readonly accessEndsAt?: Instant | null;
  /** A deleted order has a closed status. */
  readonly deletedAt: Instant | null;
}

/** The store's orders for a shop's order, with the reasons for changes; or the reason why there are none. */
export type ReadOrder =
  | { readonly orders: readonly ForeignOrder[]; readonly reasons: readonly Reason[] }
  | Refusal;

export const ordersIn = (read: ReadOrder | undefined): readonly ForeignOrder[] =>
  read && 'orders' in read ? read.orders : [];

export const withoutOrder = (read: ReadOrder | undefined) =>
  read ? 'order-not-imported' : 'order-missing';

export function orderMade(read: ReadOrder, numbers: Numbers): ImportedRow | Refusal {
  if ('refusal' in read) return read;
  const targets = read.orders.map(({ id }) => id);
  return {
    rows: read.orders.flatMap((order) => orderRows(order, numbers)),
    targets,
    reasons: read.reasons,
    ...(targets.length > 1 ? { outcome: 'split' } : {}),
  };
}

/** The fields of an order that limit its commissions. */
export interface OrderFigures extends Earnings {
  readonly id: number;
  readonly productId: number;
  readonly userId: number;
  readonly status: OrderStatus;
  readonly currency: string;
}

export const isPaid = (status: OrderStatus) => (paidStatuses as readonly string[]).includes(status);

export const isClosed = (status: OrderStatus) => status === 'refunded' || status === 'cancelled';

/** Tells if an order is neither completed nor closed. */
export const isOpen = (status: OrderStatus) => status !== 'completed' && !isClosed(status);

export const isUnpaid = (status: OrderStatus) => !isPaid(status) && !isClosed(status);

export const statusOf = ({ history }: Pick<ForeignOrder, 'history'>): OrderStatus =>
  (history.at(-1) ?? history[0]).status;

/** The last time at which an order entered one of these statuses from another; null if it never did. */
export function cameInto(
  order: ForeignOrder,
  wanted: (status: OrderStatus) => boolean,
): Instant | null {
  const { history } = order;
  const entries = history.filter(
    ({ status }, i) => wanted(status) && !wanted(history[i - 1]?.status ?? 'on-hold'),
  );
  const first = history[0];
  return entries.at(-1)?.at ?? (wanted(first.status) ? first.at : null);
}

const refundedTotal = (order: ForeignOrder) =>
  order.refunds.reduce((sum, { amount }) => sum + amount, 0);

export function figuresOf(order: ForeignOrder): OrderFigures {
  return {
    ...pricedAs(order),
    id: order.id,
    productId: order.productId,
    userId: order.userId,
    status: statusOf(order),
    currency: order.currency,
    quantity: order.quantity,
    refunded_total: refundedTotal(order),
  };
}

/**
 * Returns the rows of an order: itself, its history, its refunds, its use of a coupon, the transfer it waits for and,
 * for the first of its chain, its access. A grant has its order's id.
 */
export function orderRows(order: ForeignOrder, numbers: Numbers): NewRow[] {
  return [
    insertInto(orders, orderColumns(order)),
    ...historyRows(order, numbers),
    ...order.refunds.map(({ at, amount, reason }) =>
      insertInto(refunds, {
        id: numbers.next(refunds),
        order_id: order.id,
        amount,
        currency: order.currency,
        reason,
        actor_type: 'system',
        created_at: at,
      }),
    ),
    ...redemption(order),
    ...claim(order),
    ...(order.rootId === null ? [grant(order)] : []),
  ];
}

function orderColumns(order: ForeignOrder): typeof orders.$inferInsert {
  const { id, affiliateId, coupon } = order;
  const status = statusOf(order);
  return {
    id,
    number: order.number,
    order_parent_id: order.isBeforeRoot ? null : order.rootId,
    product_id: order.productId,
    product_title: order.title,
    user_id: order.userId,
    affiliate_id: affiliateId,
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    quantity: order.quantity,
    type: order.type,
    status,
    payment_gateway: order.gateway,
    currency: order.currency,
    ...pricedAs(order),
    refunded_total: refundedTotal(order),
    variants: [...order.variants],
    shipping: order.shipping,
    attribution: {
      affiliate_id: affiliateId,
      source: affiliateId === null ? 'none' : order.attribution,
      ...{ target: null, sub: null },
    },
    note: order.note,
    meta: { import: order.origin },
    stock_counters: [...(order.stockCounters ?? [])],
    paid_at: isUnpaid(status) || status === 'cancelled' ? null : paymentOf(order),
    completed_at: isUnpaid(status) ? null : cameInto(order, (s) => s === 'completed'),
    cancelled_at: status === 'cancelled' ? cameInto(order, (s) => s === 'cancelled') : null,
    refunded_at: status === 'refunded' ? cameInto(order, (s) => s === 'refunded') : null,
    // An imported open order stays open: the service only cancels orders that were placed with it.
    expires_at: null,
    deleted_at: order.deletedAt,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
  };
}

/** Returns the time of payment. An order on delivery is paid when it is completed, unless the shop shows otherwise. */
function paymentOf(order: ForeignOrder): Instant | null {
  const isToPay = isPaidOnDelivery(order.gateway) && !order.paidAt && order.refunds.length === 0;
  return cameInto(order, (status) =>
    isToPay ? status === 'completed' : isPaid(status) || status === 'refunded',
  );
}

function historyRows({ id, history }: ForeignOrder, numbers: Numbers): NewRow[] {
  return history.map(({ at, status, note }, i) =>
    insertInto(orderHistory, {
      id: numbers.next(orderHistory),
      order_id: id,
      at,
      from: history[i - 1]?.status ?? null,
      to: status,
      actor_type: 'system',
      note: note ?? null,
    }),
  );
}

function redemption(order: ForeignOrder): NewRow[] {
  if (!order.coupon?.id) return [];
  const row = insertInto(couponRedemptions, {
    order_id: order.id,
    coupon_id: order.coupon.id,
    user_id: order.userId,
    redeemed_at: order.createdAt,
    released_at: isClosed(statusOf(order)) ? cameInto(order, isClosed) : null,
  });
  return [row];
}

function claim(order: ForeignOrder): NewRow[] {
  const { grand_total, unique_code } = pricedAs(order);
  if (unique_code === 0 || !isUnpaid(statusOf(order))) return [];
  const row = insertInto(payableClaims, {
    currency: order.currency,
    amount: grand_total,
    order_id: order.id,
  });
  return [row];
}

function grant(order: ForeignOrder): NewRow {
  const status = statusOf(order);
  // Access by a subscription begins with its term.
  const opens = status === 'completed' || (order.type === 'regular' && isPaid(status));
  const revokedAt = order.revokedAt ?? (isClosed(status) ? cameInto(order, isClosed) : null);
  return insertInto(accessGrants, {
    id: order.id,
    user_id: order.userId,
    product_id: order.productId,
    order_id: order.id,
    source: order.type === 'regular' ? 'order' : 'subscription',
    status: revokedAt ? 'revoked' : opens ? 'active' : 'pending',
    start: opens ? (cameInto(order, isPaid) ?? order.createdAt) : null,
    end_active: order.accessEndsAt ?? null,
    revoked_at: revokedAt,
    revoke_reason: order.revokedAt ? 'manual' : revokedAt ? status : null,
    deleted_at: order.revokedAt,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
  });
}
