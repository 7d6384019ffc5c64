import { type SQL, and, asc, eq, lte, sql } from 'drizzle-orm';
import { paged } from '../kernel/database/filters.ts';
import { orders } from '../schema/orders.ts';
import { products } from '../schema/products.ts';
import { subscriptionTerms, subscriptions } from '../schema/subscriptions.ts';
import { type Write, build, guard, raw, sendIf } from '../kernel/database/statements.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { publishEvents } from '../kernel/events/outbox.ts';
import type { PageWindow } from '../kernel/endpoint/pagination.ts';
import type { OrderColumns } from '../schema/orders.ts';
import type { Chain, ChangedChain } from '../domain/subscription/chain.ts';
import type { SubscriptionColumns } from '../schema/subscriptions.ts';

const selectSubscriptions = () =>
  build
    .select({
      subscription: subscriptions,
      product: {
        title: products.title,
        price: products.price,
        subscription: products.subscription,
      },
      timezone: sql<string>`(select timezone from settings)`.as('timezone'),
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.id, subscriptions.product_id));

/** A user's subscriptions, newest first. */
export const listSubscriptions = (user_id: number, window: PageWindow) =>
  paged(
    selectSubscriptions().$dynamic(),
    subscriptions.id,
    { user_id: eq(subscriptions.user_id, user_id) },
    window,
  );

/** How many of a user's subscriptions run at a moment, and how many of them end within 7 days. */
export function countSubscriptions(user_id: number, now: Date) {
  return build
    .select({
      total: sql<string>`count(*)`.mapWith(Number),
      active: sql<string>`count(*) filter (where ${running(now)})`.mapWith(Number),
      expiring_7d: sql<string>`count(*) filter (
        where ${running(now)} and ${subscriptions.end_date} <= ${inAWeek(now)})`.mapWith(Number),
    })
    .from(subscriptions)
    .where(eq(subscriptions.user_id, user_id));
}

/**
 * The same of the whole store: from the kept number of those stored as active, less those whose end
 * has come and isn't noted down.
 */
export function countStoreSubscriptions(now: Date) {
  const over = sql`${subscriptions.end_date} <= ${now.toISOString()}`;
  const kept = sql`(select coalesce(sum(total), 0) from list_totals where list = 'subscriptions:active')`;
  return build
    .select({
      active: sql<string>`${kept} - count(*) filter (where ${over})`.mapWith(Number),
      expiring_7d: sql<string>`count(*) filter (where not ${over})`.mapWith(Number),
    })
    .from(subscriptions)
    .where(and(eq(subscriptions.status, 'active'), lte(subscriptions.end_date, inAWeek(now))));
}

const inAWeek = (now: Date) => new Date(now.getTime() + 7 * 86_400_000).toISOString();

const running = (now: Date) =>
  sql`${subscriptions.status} = 'active' and ${subscriptions.end_date} > ${now.toISOString()}`;

/** The first order of the chain that an order belongs to. */
export const firstOrderOf = (order_id: number | SQL) =>
  sql`(select coalesce(o.order_parent_id, o.id) from orders o where o.id = ${order_id})`;

/** How many of the product each order of a chain buys: as many as the first. */
export const quantityOfChain = (order_id: number) =>
  sql<number>`(select f.quantity from orders f where f.id = ${firstOrderOf(order_id)})`.mapWith(
    Number,
  );

/** The subscription of a chain, none before its first order completes. */
export const findSubscription = (first_order_id: SQL) =>
  build.select().from(subscriptions).where(eq(subscriptions.first_order_id, first_order_id));

/** What the orders of a chain buy. */
export const findTerms = (first_order_id: SQL) =>
  build
    .select()
    .from(subscriptionTerms)
    .where(eq(subscriptionTerms.first_order_id, first_order_id));

/** The order that another names as its parent, with the subscription of its chain. */
export const findParentOrder = (id: number | undefined) =>
  sendIf(id !== undefined, () =>
    build
      .select({
        first_order_id: sql<string>`coalesce(${orders.order_parent_id}, ${orders.id})`.mapWith(
          Number,
        ),
        quantity: quantityOfChain(id ?? 0),
        user_id: orders.user_id,
        product_id: orders.product_id,
        subscription: subscriptions,
      })
      .from(orders)
      .leftJoin(
        subscriptions,
        eq(subscriptions.first_order_id, sql`coalesce(${orders.order_parent_id}, ${orders.id})`),
      )
      .where(and(eq(orders.id, id ?? 0), sql`${orders.deleted_at} is null`)),
  );

/** Writes a chain's new state over the one it was decided on. */
export function saveChain(before: Chain, { subscription, term, step }: ChangedChain): Write[] {
  const known = before.terms.some(({ order_id }) => order_id === term.order_id);
  return [
    ...(subscription === before.subscription ? [] : saveSubscription(before, subscription)),
    ...(!known ? [build.insert(subscriptionTerms).values(term)] : []),
    ...(known && step
      ? [
          build
            .update(subscriptionTerms)
            .set({ activated_at: term.activated_at })
            .where(eq(subscriptionTerms.order_id, term.order_id)),
        ]
      : []),
  ];
}

function saveSubscription(before: Chain, after: SubscriptionColumns | undefined): Write[] {
  if (!after) return [];
  if (!before.subscription) return [build.insert(subscriptions).values(after)];
  return [replaceSubscription(after)];
}

/** Writes a subscription's new state over the version before. */
const replaceSubscription = (after: SubscriptionColumns) =>
  guard(
    build
      .update(subscriptions)
      .set(after)
      .where(and(eq(subscriptions.id, after.id), eq(subscriptions.version, after.version - 1)))
      .returning({ id: subscriptions.id }),
    'rest_conflict',
  );

/**
 * Lets one order of a product by a user happen at a time, where it has to be their first: a trial. The
 * lock is a statement of its own: the check after it sees what committed before.
 */
export const holdFirstOrder = <C extends string>(
  { id, user_id, product_id }: OrderColumns,
  code: C,
): Write<C>[] => [
  raw(
    sql`select pg_advisory_xact_lock(hashtextextended('first-order:' || ${user_id}::text || ':' || ${product_id}::text, 0))`,
  ),
  {
    code,
    statement: raw(sql`select svc_guard(not exists (select from orders
      where user_id = ${user_id} and product_id = ${product_id} and id <> ${id}
        and status <> 'cancelled' and deleted_at is null), ${code})`),
  },
];

/** Subscriptions whose end has come and isn't noted down, the longest ago first. */
export const findOver = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(and(eq(subscriptions.status, 'active'), lte(subscriptions.end_date, now.toISOString())))
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

/** When the next end comes; an SQL expression, null where none does. */
export const nextEnd = sql`(select min(${subscriptions.end_date}) from ${subscriptions}
  where ${subscriptions.status} = 'active')`;

/** Notes down that a subscription is over and tells it, unless something changed it meanwhile. */
export function expireSubscription(
  { id, version }: SubscriptionColumns,
  event: DomainEvent,
  now: Date,
) {
  return raw(sql`
    with expired as (
      update subscriptions
         set status = 'expired', updated_at = ${now.toISOString()}, version = version + 1
       where id = ${id} and version = ${version}
      returning id
    ) select ${publishEvents([event], now)} from expired`);
}
