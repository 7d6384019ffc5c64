import { sql } from 'drizzle-orm';
import { orderHistory, orders } from '../schema/orders.ts';
import { openSessionStatuses } from '../schema/payments.ts';
import { type Write, build, raw } from '../kernel/database/statements.ts';
import { type RowVersion, deleteRow, updateRow } from '../kernel/database/versions.ts';
import { addStock, holdProduct, returnStock } from './products.ts';
import { isFirstOnly } from '../domain/subscription/offer.ts';
import type { OrderChange } from '../domain/order/change.ts';
import type { Creation } from '../domain/purchase/create.ts';
import type { Update } from '../domain/purchase/update-state.ts';
import { holdFirstOfProduct, holdPurchases, requireFixedSettings } from './order-guards.ts';
import { moveLinesOf } from './payout-lines.ts';
import { holdErased } from './transfer-figures.ts';
import { holdPresent } from './user-writes.ts';

export function insertOrder({
  row,
  history,
  claims,
  change,
}: Creation): Write<'out_of_stock' | 'purchase_too_soon'>[] {
  const { order } = row;
  const limitMinutes = change.product.limit_buy_time;
  return [
    holdProduct(order.product_id),
    holdPresent(order.user_id),
    ...holdPurchases(order, limitMinutes, order.created_at),
    ...claims.map(({ option_id, units }) => addStock(order.product_id, option_id, -units)),
    build.insert(orders).values(order),
    requireFixedSettings(change.settings),
    build.insert(orderHistory).values(history),
  ];
}

/** Writes of a reopened order, with the guards of a new one. */
export function holdReopened<C extends string>(
  { after: order, product, now }: OrderChange,
  write: readonly Write<C>[],
): Write<C | 'purchase_too_soon' | 'tryout_used'>[] {
  return [
    holdProduct(order.product_id),
    holdPresent(order.user_id),
    ...holdPurchases(order, product.limit_buy_time, now.toISOString()),
    ...write,
    ...(isFirstOnly(order, product) ? holdFirstOfProduct(order, 'tryout_used') : []),
  ];
}

/** Writes an order's new state, if the version is unchanged. Does nothing if the state is the same. */
export function saveOrder({ version, row, history, claims }: Update): Write<'out_of_stock'>[] {
  // The title never changes here, but a job may fill it in meanwhile.
  const { product_title: _, ...order } = row.order;
  if (order.version === version) return [];
  return [
    updateRow(orders, { id: order.id, version }, order),
    ...claims.map(({ option_id, units }) =>
      units > 0
        ? addStock(order.product_id, option_id, -units)
        : returnStock(order.product_id, option_id, -units),
    ),
    ...(history.length > 0 ? [build.insert(orderHistory).values(history)] : []),
  ];
}

/**
 * Erases an order, if the version is unchanged. Refused for an order with renewals, refunds, paid commissions or
 * payments, and while money may still come, which would then have no order. Refused for a chain's only order with the
 * sign-up fee if a term was ordered without the fee: the chain would look as if it had paid the fee.
 */
export const eraseOrder = ({
  id,
  version,
}: {
  id: number;
  version: number;
}): Write<'order_not_erasable'>[] => [
  {
    code: 'order_not_erasable',
    statement: raw(sql`select svc_guard(not exists (
      select from orders where order_parent_id = ${id}
      union all
      select from refunds where order_id = ${id}
      union all
      select from commissions where order_id = ${id} and paid_at is not null
      union all
      select from payment_sessions where order_id = ${id}
         and (paid_amount is not null or status in ${[...openSessionStatuses]})
      union all
      select from subscription_terms s join subscription_terms t using (first_order_id)
       where s.order_id = ${id} and s.type = 'subscription-signup' and t.order_id <> ${id}
      having bool_or(t.type = 'subscription-regular') and not bool_or(t.type = s.type)
      ), 'order_not_erasable')`),
  },
  moveLinesOf(sql`${id}`),
  holdErased(id),
  deleteRow(orders, { id, version }),
];

/** Hides an order from every list, if the version is unchanged. */
export const hideOrder = (order: RowVersion, now: Date) =>
  updateRow(orders, order, {
    deleted_at: now.toISOString(),
    updated_at: now.toISOString(),
    version: order.version + 1,
  });
