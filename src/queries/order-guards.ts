import { type OrderColumns, orders, waitsPlainly } from '../schema/orders.ts';
import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { earlierOrders, findOpenOrder, sameBuyerAndProduct } from './orders.ts';
import { type Write, build, guard, lockValue, raw } from '../kernel/database/statements.ts';
import { type RowVersion, holdRow } from '../kernel/database/versions.ts';
import { addSeconds } from '../lib/instant.ts';
import type { SettingsRow } from '../schema/platform.ts';
import type { ReminderRow } from '../schema/reminders.ts';
import { lockProduct } from './products.ts';

/**
 * Serialises a user's orders of a product, and refuses one that follows too soon. Renewals have no such limit.
 * @param limitMinutes 0 = no limit
 */
export function holdPurchases(
  { id, user_id, product_id, order_parent_id }: OrderColumns,
  limitMinutes: number,
  at: string,
): Write<'purchase_too_soon'>[] {
  if (limitMinutes === 0 || order_parent_id !== null) return [];
  const since = addSeconds(at, -60 * limitMinutes);
  return [
    lockValue(`purchase:${user_id}:${product_id}`),
    {
      code: 'purchase_too_soon',
      statement: raw(sql`select svc_guard(not exists (select from ${orders}
        where ${sameBuyerAndProduct(user_id, product_id)} and ${gt(orders.created_at, since)}
          and ${ne(orders.id, id)}), 'purchase_too_soon')`),
    },
  ];
}

/** Requires that a trial is the user's first order of the product. */
export const holdFirstOfProduct = <C extends string>(
  { id, user_id, product_id }: OrderColumns,
  code: C,
): Write<C>[] => [
  lockValue(`first-order:${user_id}:${product_id}`),
  {
    code,
    statement: raw(sql`select svc_guard(not exists (select from ${orders}
      where ${sameBuyerAndProduct(user_id, product_id)} and ${ne(orders.id, id)}), ${code})`),
  },
];

/** Requires that an order is the buyer's first. */
export const holdFirstOrder = ({
  id,
  user_id,
}: {
  id: number;
  user_id: number;
}): Write<'coupon_first_order_only'>[] => [
  lockValue(`first-order:${user_id}`),
  {
    code: 'coupon_first_order_only',
    statement: raw(sql`select svc_guard(not exists (select from ${orders}
      where ${earlierOrders(user_id)} and ${ne(orders.id, id)}), 'coupon_first_order_only')`),
  },
];

/** Serialises decisions on an order's payment, and requires the order to be unchanged. */
export const holdOrder = (order: RowVersion) => holdRow(orders, order);

/**
 * Raises the version of an order whose money changed, unless the same transaction has raised it by changing the order.
 * Decisions that were made before the change are made again.
 */
export const raiseVersion = ({ id, version }: RowVersion, now: Date) =>
  raw(sql`update orders set version = version + 1, updated_at = ${now.toISOString()}::timestamptz
    where id = ${id} and version = ${version}`);

/**
 * Wraps writes about an order's money: they need an unchanged order and raise its version, so that parallel decisions are
 * made again.
 */
export const serialised = <C extends string = never>(
  order: RowVersion,
  writes: readonly Write<C>[],
  now: Date,
): Write<C | 'rest_conflict'>[] => [holdOrder(order), ...writes, raiseVersion(order, now)];

/** Locks an order, so that changes of its ledger are serialised. */
export const lockOrder = (order_id: number) =>
  raw(sql`select 1 from orders where id = ${order_id} for no key update`);

/** Requires that the order of a payment reminder waits for its payment, and locks it until the commit. */
export const whileAwaited = ({ asks_payment, status, order_id }: ReminderRow): Write[] =>
  asks_payment && status === 'pending' && order_id !== null
    ? [
        guard(
          build
            .select({ id: orders.id })
            .from(orders)
            .where(and(eq(orders.id, order_id), eq(orders.status, 'on-hold')))
            .for('share'),
          'rest_conflict',
        ),
      ]
    : [];

/** Requires that none of a product's orders is open, including orders that are being placed. */
export const requireNoOpenOrder = (id: number): Write<'product_has_open_orders'>[] => [
  lockProduct(id),
  {
    code: 'product_has_open_orders',
    statement: raw(
      sql`select svc_guard(not exists (${findOpenOrder(id).getSQL()}), 'product_has_open_orders')`,
    ),
  },
];

/**
 * Requires that there are no orders in another currency, and keeps new ones out until the commit.
 * @param currency null requires that there are no orders at all
 */
export const requireOrdersIn = (currency: string | null): Write<'setting_locked'>[] => [
  raw(sql`lock table orders in share mode`),
  {
    code: 'setting_locked',
    statement: raw(sql`select svc_guard(not exists (
      select from orders where currency is distinct from ${currency}), 'setting_locked')`),
  },
];

/**
 * Requires that the currency and time zone are those of the decision. It follows the insertion of an order, which waits
 * for a change of them and keeps later ones out.
 */
export const requireFixedSettings = ({ currency, currency_exponent, timezone }: SettingsRow) =>
  guard(
    sql`select from settings where currency = ${currency} and timezone = ${timezone}
      and currency_exponent is not distinct from ${currency_exponent}`,
    'rest_conflict',
  );

/** Locks the orders of payouts' commissions until the commit. */
export const lockOrdersOfPayouts = (payout_ids: readonly number[]) =>
  raw(sql`select 1 from orders
    where id in (select order_id from commissions
                  where payout_id = any (${sql.param(payout_ids)}::bigint[]))
    order by id for no key update`);

/** Requires that no order without a transfer code waits for this order's amount. */
export const requireFigureFree = ({
  id,
  currency,
  grand_total,
}: Pick<OrderColumns, 'id' | 'currency' | 'grand_total'>): Write<'transfer_figure_taken'> => ({
  code: 'transfer_figure_taken',
  statement: raw(sql`select svc_guard(not exists (select from orders
    where ${waitsPlainly} and currency = ${currency} and grand_total = ${grand_total}
      and id <> ${id}), 'transfer_figure_taken')`),
});
