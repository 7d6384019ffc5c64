import { type SQL, and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { asId, containing, paged, since, trigramLength, until } from '../../db/filters.ts';
import { orderHistory, orders } from '../../db/schema/orders.ts';
import { products } from '../../db/schema/products.ts';
import { users } from '../../db/schema/users.ts';
import { type Write, build, guard, raw } from '../../db/statements.ts';
import type { PageWindow } from '../../http/pagination.ts';
import { addSeconds } from '../../lib/instant.ts';
import { type StatusGroup, paidStatuses, statusGroupMembers } from '../../lib/statuses.ts';
import { addStock, returnStock, selectProducts } from '../products/queries.ts';
import type { Creation } from './creation.ts';
import type { OrderFilters } from './schemas.ts';
import type { Update } from './update.ts';

const buyer = alias(users, 'buyer');
const affiliate = alias(users, 'affiliate');

const selectOrders = () =>
  build
    .select({
      order: orders,
      product: { id: products.id, title: products.title, type: products.type },
      user: { id: buyer.id, display_name: buyer.display_name, email: buyer.email },
      affiliate: { id: affiliate.id, display_name: affiliate.display_name },
    })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.product_id))
    .innerJoin(buyer, eq(buyer.id, orders.user_id))
    .leftJoin(affiliate, eq(affiliate.id, orders.affiliate_id));

const present = isNull(orders.deleted_at);

/** An order by id, none when unknown or deleted; `visible` narrows it to what a caller may see. */
export const findOrder = (id: number, visible?: SQL) =>
  selectOrders().where(and(eq(orders.id, id), present, visible));

/** Everything that happened to an order, oldest first. */
export const findHistory = (order_id: number) =>
  build
    .select()
    .from(orderHistory)
    .where(eq(orderHistory.order_id, order_id))
    .orderBy(asc(orderHistory.id));

/** Orders a member sees: bought, sold as affiliate, or both. */
export const ownedBy = (user_id: number, scope: 'buyer' | 'affiliate' | 'both') => {
  const bought = eq(orders.user_id, user_id);
  const sold = eq(orders.affiliate_id, user_id);
  if (scope === 'both') return or(bought, sold);
  return scope === 'buyer' ? bought : sold;
};

/** Orders whose status is in a group; `paid` is every status in which money has come in. */
export const inGroup = (group: StatusGroup | 'paid' | undefined) =>
  group &&
  inArray(orders.status, group === 'paid' ? [...paidStatuses] : [...statusGroupMembers[group]]);

function searched(words: string): SQL | undefined {
  if (words.length < trigramLength) {
    return or(eq(orders.id, asId(words)), eq(sql`lower(${orders.number})`, words.toLowerCase()));
  }
  const pattern = containing(words);
  const people = sql`lower(u.display_name || ' ' || coalesce(u.email, '') || ' ' || u.phone)`;
  return or(
    sql`lower(${orders.number}) like ${pattern}`,
    sql`${orders.user_id} in (select u.id from users u where ${people} like ${pattern})`,
  );
}

/** The conditions of a list of orders. */
export function orderFilters(query: OrderFilters): (SQL | undefined)[] {
  const { status, user_id, product_id, affiliate_id, search, date_start, date_end } = query;
  return [
    present,
    status && eq(orders.status, status),
    user_id === undefined ? undefined : eq(orders.user_id, user_id),
    product_id === undefined ? undefined : eq(orders.product_id, product_id),
    affiliate_id === undefined ? undefined : eq(orders.affiliate_id, affiliate_id),
    search === undefined ? undefined : searched(search),
    since(orders.created_at, date_start),
    until(orders.created_at, date_end),
  ];
}

export const listOrders = (
  query: OrderFilters,
  window: PageWindow,
  ...visible: (SQL | undefined)[]
) => paged(selectOrders().$dynamic(), orders.id, [...orderFilters(query), ...visible], window);

/** The user columns that attribution looks at. */
export const findPerson = (id: number | null | undefined) =>
  build
    .select()
    .from(users)
    .where(and(eq(users.id, id ?? 0), sql`${users.status} <> 'anonymised'`));

/** The sponsor of a user. */
export const findSponsor = (user_id: number) =>
  build
    .select()
    .from(users)
    .where(
      and(
        eq(users.id, sql`(select affiliate_id from users where id = ${user_id})`),
        sql`${users.status} <> 'anonymised'`,
      ),
    );

/** The users behind an order: its buyer. */
export const findBuyerOf = (order_id: number) =>
  build
    .select()
    .from(users)
    .where(eq(users.id, sql`(select user_id from orders where id = ${order_id})`));

/** The product of an order, deleted or not, with its stock. */
export const findProductOf = (order_id: number) =>
  selectProducts().where(
    eq(products.id, sql`(select product_id from orders where id = ${order_id})`),
  );

/** Writes a new order with its claims on the stock. */
export function insertOrder(
  { row, history, claims }: Creation,
  limitMinutes: number,
): Write<'out_of_stock' | 'purchase_too_soon'>[] {
  const { order } = row;
  return [
    ...(limitMinutes > 0 ? holdPurchases(order, limitMinutes) : []),
    ...claims.map(({ option_id, units }) => addStock(order.product_id, option_id, -units)),
    build.insert(orders).values(order),
    build.insert(orderHistory).values(history),
  ];
}

/**
 * Lets one order of a product by a user happen at a time, and none too soon after another. The lock
 * is a statement of its own: the check after it sees what committed before.
 */
function holdPurchases(
  { user_id, product_id, created_at }: Creation['row']['order'],
  limitMinutes: number,
): Write<'purchase_too_soon'>[] {
  const since = addSeconds(created_at, -60 * limitMinutes);
  return [
    raw(
      sql`select pg_advisory_xact_lock(hashtextextended('purchase:' || ${user_id}::text || ':' || ${product_id}::text, 0))`,
    ),
    {
      code: 'purchase_too_soon',
      statement: raw(sql`select svc_guard(not exists (
        select from orders where user_id = ${user_id} and product_id = ${product_id}
           and created_at > ${since} and status <> 'cancelled' and deleted_at is null
        ), 'purchase_too_soon')`),
    },
  ];
}

/** Writes an order's new state over the version it was decided on. */
export function saveOrder(
  version: number,
  { row, history, claims }: Update,
): Write<'out_of_stock'>[] {
  const { order } = row;
  return [
    guard(
      build
        .update(orders)
        .set(order)
        .where(and(eq(orders.id, order.id), eq(orders.version, version)))
        .returning({ id: orders.id }),
      'rest_conflict',
    ),
    ...claims.map(({ option_id, units }) =>
      units > 0
        ? addStock(order.product_id, option_id, -units)
        : returnStock(order.product_id, option_id, -units),
    ),
    ...(history.length > 0 ? [build.insert(orderHistory).values(history)] : []),
  ];
}

/** Erases an order, in the version it was decided on. */
export const eraseOrder = ({ id, version }: { id: number; version: number }) =>
  guard(
    build
      .delete(orders)
      .where(and(eq(orders.id, id), eq(orders.version, version)))
      .returning({ id: orders.id }),
    'rest_conflict',
  );

/** Hides an order from every list, in the version it was decided on. */
export const hideOrder = ({ id, version }: { id: number; version: number }, now: Date) =>
  guard(
    build
      .update(orders)
      .set({ deleted_at: now.toISOString(), version: version + 1 })
      .where(and(eq(orders.id, id), eq(orders.version, version)))
      .returning({ id: orders.id }),
    'rest_conflict',
  );
