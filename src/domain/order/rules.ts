import type { Actor } from '../../kernel/auth/actor.ts';
import type { orderHistory, OrderColumns } from '../../schema/orders.ts';
import { type OrderStatus, type ProductType, orderStatuses } from '../../schema/lists.ts';
import type { Totals } from './totals.ts';
import type { Order } from './schemas.ts';
import { nextStatuses, paymentStatus, statusGroup } from './transitions.ts';

/** Invoice numbers are padded to this many digits. */
export const numberLength = 6;

export interface ShownOrder {
  order: Omit<OrderColumns, 'agreed' | 'product_title'>;
  product: { id: number; title: string; type: ProductType };
  user: { id: number; display_name: string; email: string | null };
  affiliate: { id: number; display_name: string } | null;
}

export interface OrderRow extends ShownOrder {
  order: OrderColumns;
}

export const toOrder = ({ order, product, user, affiliate }: ShownOrder): Order => ({
  ...order,
  status_group: statusGroup(order.status),
  payment_status: paymentStatus(order),
  net_total: order.grand_total - order.refunded_total,
  meta: order.meta as Order['meta'],
  next_statuses: nextStatuses(order, product.type),
  product,
  user: { ...user, email: user.email ?? '' },
  affiliate,
});

/** The parts of a delivery that tell who receives it, and where. The page of a parcel shows its receiver, too. */
const receiver = { receiver: '', phone: '', address: '', postal_code: '' };
const parcel = { tracking_number: '', tracking_url: '' };

/** Removes the buyer's e-mail address, the receiver and address, and the notes of the store and the buyer. */
export function forAffiliate(order: Order): Order {
  return {
    ...order,
    note: null,
    meta: {},
    user: { ...order.user, email: '' },
    shipping: order.shipping && { ...order.shipping, ...receiver, ...parcel },
  };
}

export const historyForAffiliate = <E extends { note: string | null }>(history: readonly E[]) =>
  history.map((entry) => ({ ...entry, note: null }));

export const historyEntry = (
  order: OrderColumns,
  from: OrderColumns['status'] | null,
  actor: Actor,
  note: string | null,
  now: Date,
): typeof orderHistory.$inferInsert => ({
  order_id: order.id,
  at: now.toISOString(),
  from,
  to: order.status,
  actor_type: actor.type,
  actor_id: actor.id,
  note,
});

export function toSums(totals: Totals = noTotals, currency: string | null) {
  const { total: count, ...sums } = totals;
  return {
    count,
    sums: [{ currency, ...sums, net_total: sums.grand_total - sums.refunded_total }],
  };
}

const noTotals: Totals = { total: 0, quantity: 0, grand_total: 0, refunded_total: 0 };

export function inEveryStatus(rows: readonly { status: OrderStatus; total: number }[]) {
  const counted = new Map(rows.map(({ status, total }) => [status, total]));
  return Object.fromEntries(
    orderStatuses.map((status) => [status, counted.get(status) ?? 0]),
  ) as Record<OrderStatus, number>;
}

/** The total of an order's parts, without an override. */
export const sumOfParts = (o: OrderColumns) =>
  o.subtotal +
  o.variant_total +
  o.signup_fee -
  o.discount_total +
  o.shipping_total +
  o.fee_total +
  o.unique_code +
  o.tax_total;
