import {
  type SQL,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lte,
  ne,
  not,
  or,
  sql,
} from 'drizzle-orm';
import {
  type Window,
  changedSince,
  equals,
  hasValues,
  isDated,
  paged,
  since,
  until,
} from '../kernel/database/filters.ts';
import { actorName } from './actor-names.ts';
import { orderHistory, orders } from '../schema/orders.ts';
import type { orderRollups } from '../schema/rollups.ts';
import { products } from '../schema/products.ts';
import { users } from '../schema/users.ts';
import {
  recordFrom,
  recordOf,
  recordOrNullFrom,
  selectRecords,
} from '../kernel/database/records.ts';
import { type Argument, build } from '../kernel/database/statements.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import * as lists from '../schema/lists.ts';
import { matching } from './order-search.ts';
import { awaitsPayment } from './payment-sessions.ts';
import type { OrderFilters } from '../domain/order/request-schemas.ts';

/** The product's title at the time of purchase; its present title until the order's is filled in. */
export const boughtTitle = sql<string>`coalesce(${orders.product_title}, ${products.title})`;

// Looked up row by row, because planning a join of four tables takes longer than running this.
const embedded = {
  product: recordFrom(products, eq(products.id, orders.product_id), {
    id: products.id,
    title: sql<string>`to_json(${boughtTitle})`,
    // Later instalments of a plan ship nothing.
    type: sql<lists.ProductType>`to_json(case when ${orders.order_parent_id} is not null
      and jsonb_typeof(${orders.agreed} -> 'plan') = 'object' then 'digital' else ${products.type} end)`,
  }),
  user: recordFrom(users, eq(users.id, orders.user_id), {
    id: users.id,
    display_name: users.display_name,
    email: users.email,
  }),
  affiliate: recordOrNullFrom(users, eq(users.id, orders.affiliate_id), {
    id: users.id,
    display_name: users.display_name,
  }),
};

const orderRecord = recordOf({ order: orders, ...embedded });

const { agreed: _, product_title: __, ...shownColumns } = getTableColumns(orders);
const shownRecord = recordOf({ order: shownColumns, ...embedded });

const selectShown = () => selectRecords(shownRecord).from(orders);

const present = isNull(orders.deleted_at);

/** @param visible limits the result to the orders of a caller */
export const findOrder = (id: number | SQL, visible?: SQL) =>
  selectRecords(orderRecord)
    .from(orders)
    .where(and(eq(orders.id, id), present, visible));

/** Includes a deleted order. */
export const findStoredOrder = (id: number | SQL) =>
  selectRecords(orderRecord).from(orders).where(eq(orders.id, id));

/** Includes deleted orders. */
export const findOrdersIn = (ids: SQL) =>
  selectRecords(orderRecord)
    .from(orders)
    .where(sql`${orders.id} in (${ids})`);

export const findOrderColumns = (id: SQL) => build.select().from(orders).where(eq(orders.id, id));

export const findHistory = (order_id: number | SQL) =>
  build
    .select({ ...getTableColumns(orderHistory), actor_name: actorName(orderHistory) })
    .from(orderHistory)
    .where(eq(orderHistory.order_id, order_id))
    .orderBy(asc(orderHistory.id));

/** Members see orders that they bought or sold as affiliate; administrators see all. */
export const isSeenBy = (user_id: SQL<number>, is_admin: SQL<boolean>) =>
  or(is_admin, eq(orders.user_id, user_id), eq(orders.affiliate_id, user_id));

/** Orders that a member bought or sold as affiliate, for lists. */
const ofMember = (user_id: Argument<number>) => sql`${orders.id} = any (array(
  select o.id from orders o where o.user_id = ${user_id}
  union select o.id from orders o where o.affiliate_id = ${user_id}))`;

/** Filters of orders. `paid` means every status that counts as paid. */
export type ListedBy = Omit<OrderFilters, 'status' | 'user_id' | 'affiliate_id'> & {
  status?: Argument<OrderFilters['status']>;
  user_id?: Argument<number> | undefined;
  affiliate_id?: Argument<number> | undefined;
  /** Buyer or affiliate. */
  member_id?: Argument<number> | undefined;
  status_group?: lists.StatusGroup | 'paid' | undefined;
  /** Like `search`, for callers who may not see the buyers' e-mail addresses and phones. */
  name_search?: string | undefined;
};

/** Matches orders, or rolled-up rows, in a status or a group of statuses. */
export const inStatus = (
  { status, status_group: group }: ListedBy,
  column: typeof orders.status | typeof orderRollups.status,
) =>
  and(
    status && eq(column, status),
    group &&
      inArray(
        column,
        group === 'paid' ? [...lists.paidStatuses] : [...lists.statusGroupMembers[group]],
      ),
  );

export function orderFilters(query: ListedBy): ConditionsFor<ListedBy, 'present'> {
  const { status, status_group, user_id, product_id, affiliate_id, member_id } = query;
  const { coupon_id, payment_gateway } = query;
  return {
    present,
    status: inStatus({ status }, orders.status),
    status_group: inStatus({ status_group }, orders.status),
    ...equals(orders, { user_id, product_id, affiliate_id, coupon_id, payment_gateway }),
    ids: query.ids && inArray(orders.id, query.ids),
    member_id: member_id === undefined ? undefined : ofMember(member_id),
    search: matching(query.search, true),
    name_search: matching(query.name_search, false),
    date_start: since(orders.created_at, query.date_start),
    date_end: until(orders.created_at, query.date_end),
    updated_since: changedSince(orders.updated_at, query.updated_since),
    meta: hasValues(orders.meta, query.meta),
  };
}

export const listOrders = (query: ListedBy, window: Window) =>
  paged(selectShown().$dynamic(), orders.id, orderFilters(query), window, {
    time: isDated(query) ? orders.created_at : undefined,
  });

/**
 * The newest orders of the store or of a member. Reads at most `limit` orders of a member as buyer and as affiliate.
 */
export function findLatest(limit: number, user_id?: Argument<number>) {
  const newest = (owner: SQL) => sql`(select o.id from ${orders} o
    where ${owner} = ${user_id} and o.deleted_at is null order by o.id desc limit ${limit})`;
  const own = sql`${orders.id} in (${newest(sql`o.user_id`)} union ${newest(sql`o.affiliate_id`)})`;
  return selectShown()
    .where(user_id === undefined ? present : own)
    .orderBy(desc(orders.id))
    .limit(limit);
}

/** Candidates who have a completed order of the product themselves. */
export const findCustomers = (product_id: number | SQL, candidates: SQL) =>
  build
    .selectDistinct({ id: orders.user_id })
    .from(orders)
    .where(
      and(
        sql`${orders.user_id} in ${candidates}`,
        eq(orders.product_id, product_id),
        eq(orders.status, 'completed'),
        present,
      ),
    );

const standingOrders = (user_id: Argument<number>) =>
  and(eq(orders.user_id, user_id), ne(orders.status, 'cancelled'), present);

export const sameBuyerAndProduct = (user_id: Argument<number>, product_id: Argument<number>) =>
  and(standingOrders(user_id), eq(orders.product_id, product_id));

/** The time of a user's last order of a product. Cancelled orders don't count. */
export const findLastPurchase = (user_id: Argument<number>, product_id: Argument<number>) =>
  build
    .select({ at: orders.created_at })
    .from(orders)
    .where(sameBuyerAndProduct(user_id, product_id))
    .orderBy(desc(orders.id))
    .limit(1);

/** The order of a manual licence, with the first order of its chain. */
export const findPayingOrder = (id: number | null | undefined) =>
  build
    .select({
      first: sql<string>`coalesce(${orders.order_parent_id}, ${orders.id})`.mapWith(Number),
      product_id: orders.product_id,
      user_id: orders.user_id,
    })
    .from(orders)
    .where(and(eq(orders.id, id ?? 0), present));

/**
 * Selects the orders that keep a user from a coupon for first orders. Anybody may order in the shop with the user's
 * address, so its unpaid orders don't, unless they have such a coupon: that needs a link by e-mail. The subqueries
 * return values, because PostgreSQL may read whole tables for an `exists`.
 */
export const earlierOrders = (user_id: Argument<number>) =>
  and(
    standingOrders(user_id),
    sql`(${orders.paid_at} is not null
      or (select f.key from purchase_forms f where f.order_id = ${orders.id}) is null
      or (select (coalesce(p.rule, c.rule) ->> 'first_order_only')::boolean
            from coupons c left join coupons p on p.id = c.coupon_parent_id where c.id = ${orders.coupon_id}))`,
  );

export const findEarlierOrder = (user_id: Argument<number>) =>
  build.select({ id: orders.id }).from(orders).where(earlierOrders(user_id)).limit(1);

export const findLastCompleted = (user_id: number, product_id: number) =>
  build
    .select({ id: orders.id, at: orders.completed_at })
    .from(orders)
    .where(
      and(
        eq(orders.user_id, user_id),
        eq(orders.product_id, product_id),
        eq(orders.status, 'completed'),
        present,
      ),
    )
    .orderBy(sql`${orders.completed_at} desc, ${orders.id} desc`)
    .limit(1);

export const findOpenOrder = (product_id: number) =>
  build
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.product_id, product_id),
        inArray(orders.status, [...lists.openStatuses]),
        present,
      ),
    )
    .limit(1);

/** Returns a row if the store has an order, deleted or not. */
export const findAnyOrder = () => build.select({ currency: orders.currency }).from(orders).limit(1);

/** Orders that expire without a payment, except free ones and those that may still get money. */
const expiring = and(
  eq(orders.status, 'on-hold'),
  gt(orders.grand_total, 0),
  present,
  not(awaitsPayment(sql`${orders.id}`)),
  sql`not exists (select from unexpected_payments u
        where u.order_id = ${orders.id} and u.status = 'open' and u.reason <> 'reversed')`,
);

/**
 * Finds orders whose time for payment is over, longest overdue first.
 * @param id limits the result to this order
 */
export const findExpiredOrders = (now: Date, limit: number, id?: number) =>
  build
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        lte(orders.expires_at, now.toISOString()),
        expiring,
        id === undefined ? undefined : eq(orders.id, id),
      ),
    )
    .orderBy(asc(orders.expires_at))
    .limit(limit);

/** An SQL expression: the time at which the next order expires; null if none waits. */
export const nextExpiry = sql`(select ${orders.expires_at} from ${orders}
  where ${expiring} order by ${orders.expires_at} limit 1)`;
