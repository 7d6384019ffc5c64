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
  or,
  sql,
} from 'drizzle-orm';
import {
  type Conditions,
  asId,
  containing,
  isDated,
  paged,
  searched,
  since,
  trigramLength,
  until,
} from '../kernel/database/filters.ts';
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
import { build, sendIf } from '../kernel/database/statements.ts';
import type { PageWindow } from '../kernel/endpoint/pagination.ts';
import { type StatusGroup, paidStatuses, statusGroupMembers } from '../schema/lists.ts';
import { findSettings } from './settings.ts';
import { clicksCountFrom } from './clicks.ts';
import { findCouponOf } from './coupons.ts';
import { selectProducts } from './products.ts';
import { groupOfUser } from './users.ts';
import type { OrderFilters } from '../domain/order/schemas.ts';

// Looked up row by row: a join of four tables takes longer to plan than all of this to run.
const embedded = {
  product: recordFrom(products, eq(products.id, orders.product_id), {
    id: products.id,
    title: products.title,
    type: products.type,
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

const { agreed: _, ...shownColumns } = getTableColumns(orders);
const shownRecord = recordOf({ order: shownColumns, ...embedded });

/** Orders as lists show them. */
const selectShown = () => selectRecords(shownRecord).from(orders);

const present = isNull(orders.deleted_at);

/** An order by id, none when unknown or deleted; `visible` narrows it to what a caller may see. */
export const findOrder = (id: number | SQL, visible?: SQL) =>
  selectRecords(orderRecord)
    .from(orders)
    .where(and(eq(orders.id, id), present, visible));

/** An order by id, a deleted one too. */
export const findStoredOrder = (id: number) =>
  selectRecords(orderRecord).from(orders).where(eq(orders.id, id));

/** Everything that happened to an order, oldest first. */
export const findHistory = (order_id: number) =>
  build
    .select()
    .from(orderHistory)
    .where(eq(orderHistory.order_id, order_id))
    .orderBy(asc(orderHistory.id));

/** Whether an order is one that a member sees: bought, or sold as affiliate. */
export const isOwn = (user_id: number) =>
  or(eq(orders.user_id, user_id), eq(orders.affiliate_id, user_id));

/** The orders a member sees, to be listed: bought, sold as affiliate, or both. */
export const ownedBy = (user_id: number, scope: 'buyer' | 'affiliate' | 'both') => {
  if (scope === 'buyer') return eq(orders.user_id, user_id);
  if (scope === 'affiliate') return eq(orders.affiliate_id, user_id);
  return sql`${orders.id} = any (array(
    select o.id from orders o where o.user_id = ${user_id}
    union select o.id from orders o where o.affiliate_id = ${user_id}))`;
};

/** What a list of orders can be filtered by. `paid` is every status that counts as paid. */
export type ListedBy = OrderFilters & { status_group?: StatusGroup | 'paid' | undefined };

/** Orders, or figures rolled up by status, of a status or a group of them. */
export const inStatus = (
  { status, status_group: group }: ListedBy,
  column: typeof orders.status | typeof orderRollups.status,
) =>
  and(
    status && eq(column, status),
    group && inArray(column, group === 'paid' ? [...paidStatuses] : [...statusGroupMembers[group]]),
  );

/**
 * Orders that a search finds. Only who may see the buyers' e-mail addresses and phones can search
 * by them (`contacts`): a search that finds tells what it found.
 */
export function matching(words: string | undefined, contacts: boolean): SQL | undefined {
  if (words === undefined) return undefined;
  if (words.length < trigramLength) {
    return or(eq(orders.id, asId(words)), eq(sql`lower(${orders.number})`, words.toLowerCase()));
  }
  const pattern = containing(words);
  // The whole text has the index; a name in it is found through it too.
  const person = sql`lower(u.display_name || ' ' || coalesce(u.email, '') || ' ' || u.phone) like ${pattern}`;
  const people = contacts ? person : sql`${person} and lower(u.display_name) like ${pattern}`;
  const named = sql`select o.id from orders o where o.number in (${words}, ${words.toUpperCase()})`;
  const ofBuyer = sql`select o.id from users u join orders o on o.user_id = u.id where`;
  return sql`${orders.id} = ${searched(
    contacts ? sql`${named} union ${ofBuyer} u.email = ${words.toLowerCase()}` : named,
    sql`select o.id from orders o where lower(o.number) like ${pattern} union ${ofBuyer} ${people}`,
  )}`;
}

/** The conditions of a list of orders. */
export function orderFilters(query: ListedBy) {
  const { status, status_group, user_id, product_id, affiliate_id, search } = query;
  return {
    present,
    status: inStatus({ status }, orders.status),
    status_group: inStatus({ status_group }, orders.status),
    user_id: user_id === undefined ? undefined : eq(orders.user_id, user_id),
    product_id: product_id === undefined ? undefined : eq(orders.product_id, product_id),
    affiliate_id: affiliate_id === undefined ? undefined : eq(orders.affiliate_id, affiliate_id),
    search: matching(search, true),
    date_start: since(orders.created_at, query.date_start),
    date_end: until(orders.created_at, query.date_end),
  } satisfies Record<keyof ListedBy | 'present', SQL | undefined>;
}

/** @param visible conditions beside the query's: what of it a caller may see */
export const listOrders = (query: ListedBy, window: PageWindow, visible: Conditions = {}) =>
  paged(selectShown().$dynamic(), orders.id, { ...orderFilters(query), ...visible }, window, {
    time: isDated(query) ? orders.created_at : undefined,
  });

/**
 * The newest orders of the store, or of a member, as buyer or affiliate: of each kind so many are
 * looked at and no more, however many there are.
 */
export function findLatest(limit: number, user_id?: number) {
  const newest = (owner: SQL) => sql`(select o.id from ${orders} o
    where ${owner} = ${user_id} and o.deleted_at is null order by o.id desc limit ${limit})`;
  const own = sql`${orders.id} in (${newest(sql`o.user_id`)} union ${newest(sql`o.affiliate_id`)})`;
  return selectShown()
    .where(user_id === undefined ? present : own)
    .orderBy(desc(orders.id))
    .limit(limit);
}

const personRecord = recordOf({ ...getTableColumns(users), group: groupOfUser });

const selectPeople = () => selectRecords(personRecord).from(users);

/** A user with their group, as prices and attribution look at them. */
export const findPerson = (id: number | SQL | null | undefined) =>
  sendIf(Boolean(id), () =>
    selectPeople().where(and(eq(users.id, id ?? 0), sql`${users.status} <> 'anonymised'`)),
  );

/** Who buys what, as a checkout or an order names it, and what speaks for an affiliate. */
export interface Purchase {
  readonly product_id: number;
  readonly user_id?: number | undefined;
  readonly affiliate_id?: number | null | undefined;
  readonly coupon?: string | undefined;
  /** The visit through an affiliate's link that led to it. */
  readonly visit?: Visit | undefined;
  readonly quantity?: number | undefined;
  /** The order it renews. */
  readonly order_parent_id?: number | undefined;
}

/** A visit by what its link left with the visitor, as of a moment. */
export interface Visit {
  readonly ref: string;
  readonly now: Date;
}

/** The ids of everybody a purchase may count for, as rows of one column. */
export const candidatesFor = ({ affiliate_id, user_id, coupon, visit }: Partial<Purchase>) =>
  sql`(values (${affiliate_id ?? null}::bigint), (${sponsorOf(user_id ?? 0)}),
    (${ownerOfCoupon(coupon ?? '')}), (${visit ? affiliateOfClick(visit) : sql`null`}))`;

/** Which of the candidates have a completed order of the product themselves. */
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

/** The id of the affiliate a live coupon belongs to. */
export const ownerOfCoupon = (code: string) =>
  sql`(select user_id from coupons where code = ${code.toUpperCase()} and deleted_at is null)`;

/** The id of the affiliate whose link a visit came through, as long as it counts for them. */
export const affiliateOfClick = ({ ref, now }: Visit) =>
  sql`(select affiliate_id from affiliate_clicks where ref = ${ref} and at > ${clicksCountFrom(now)})`;

/** The id of a user's sponsor. */
export const sponsorOf = (user_id: number) =>
  sql`(select affiliate_id from users where id = ${user_id})`;

/** The buyer of an order. */
export const findBuyerOf = (order_id: number | SQL) =>
  selectPeople().where(eq(users.id, sql`(select user_id from orders where id = ${order_id})`));

/** The product of an order, deleted or not, with its stock. */
export const findProductOf = (order_id: number | SQL) =>
  selectProducts().where(
    eq(products.id, sql`(select product_id from orders where id = ${order_id})`),
  );

/** Everything an update of an order is decided on. */
export const loadUpdate = (id: number | SQL, affiliate_id: number | null | undefined) => ({
  found: findOrder(id),
  settings: findSettings(),
  product: findProductOf(id),
  buyer: findBuyerOf(id),
  named: findPerson(affiliate_id),
  customers: findCustomers(
    sql`(select product_id from orders where id = ${id})`,
    candidatesFor({ affiliate_id }),
  ),
  coupon: findCouponOf(id),
});

/** Orders of a product by a user, cancelled ones aside. */
export const sameBuyerAndProduct = (user_id: number, product_id: number) =>
  and(
    eq(orders.user_id, user_id),
    eq(orders.product_id, product_id),
    ne(orders.status, 'cancelled'),
    present,
  );

/** When a user last ordered a product, cancelled orders aside. */
export const findLastPurchase = (user_id: number, product_id: number) =>
  build
    .select({ at: orders.created_at })
    .from(orders)
    .where(sameBuyerAndProduct(user_id, product_id))
    .orderBy(desc(orders.id))
    .limit(1);

/** Orders whose time to be paid is over, the longest waiting first; not those that cost nothing. */
export const findExpiredOrders = (now: Date, limit: number) =>
  build
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.status, 'on-hold'),
        lte(orders.expires_at, now.toISOString()),
        gt(orders.grand_total, 0),
        present,
      ),
    )
    .orderBy(asc(orders.expires_at))
    .limit(limit);

/** When the next of them is over; an SQL expression, null where none waits. */
export const nextExpiry = sql`(select min(${orders.expires_at}) from ${orders}
  where ${and(eq(orders.status, 'on-hold'), gt(orders.grand_total, 0), present)})`;
