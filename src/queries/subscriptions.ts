import {
  type SQL,
  and,
  asc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  or,
  sql,
} from 'drizzle-orm';
import {
  type Conditions,
  type Window,
  allOf,
  changedSince,
  equals,
  paged,
} from '../kernel/database/filters.ts';
import { userGroups } from '../schema/groups.ts';
import { products } from '../schema/products.ts';
import {
  subscriptionChanges,
  subscriptionTerms,
  subscriptions,
  type SubscriptionColumns,
} from '../schema/subscriptions.ts';
import { type Argument, build, instantOf } from '../kernel/database/statements.ts';
import { countInstalments, signupOf, variantsOfTerm } from './order-chains.ts';
import { timezone } from './settings.ts';
import { orders } from '../schema/orders.ts';
import { users } from '../schema/users.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { SubscriptionQuery } from '../domain/subscription/schemas.ts';

export const selectSubscriptions = () =>
  build
    .select({
      subscription: subscriptions,
      instalments: countInstalments(sql`${subscriptions.first_order_id}`),
      product: {
        id: products.id,
        title: products.title,
        variants: products.variants,
        price: products.price,
        subscription: products.subscription,
        deleted_at: products.deleted_at,
      },
      agreed: orders.agreed,
      quantity: orders.quantity,
      variants: variantsOfTerm(sql`${subscriptions.order_id}`, sql`${orders.variants}`),
      group: userGroups,
      user: { id: users.id, display_name: users.display_name, email: users.email },
      timezone,
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.id, subscriptions.product_id))
    .innerJoin(orders, eq(orders.id, subscriptions.first_order_id))
    .innerJoin(users, eq(users.id, subscriptions.user_id))
    .leftJoin(userGroups, eq(userGroups.id, users.group_id));

/** The facts that price a renewal of the subscription `r` of the product `p`, as a `RenewalOrder`. */
export const renewalFacts = sql`(select jsonb_build_object(
  'subscription', to_jsonb(r),
  'product', jsonb_build_object('id', p.id, 'type', p.type, 'price', p.price, 'tax', p.tax, 'shipping', p.shipping,
                                'subscription', p.subscription, 'variants', p.variants),
  'agreed', f.agreed, 'quantity', f.quantity, 'shipping', f.shipping, 'group', to_jsonb(g),
  'variants', ${variantsOfTerm(sql`r.order_id`, sql`f.variants`)}, 'signup', ${signupOf(sql`r.first_order_id`)})
  from orders f join users u on u.id = r.user_id left join user_groups g on g.id = u.group_id
  where f.id = r.first_order_id)`;

function inStatus(status: SubscriptionColumns['status'], now: Date): SQL | undefined {
  const over = and(
    eq(subscriptions.status, 'active'),
    lte(subscriptions.end_date, instantOf(now)),
    sql`(${subscriptions.cancelled_at} is not null) = ${status === 'cancelled'}`,
  );
  const stored = eq(subscriptions.status, status);
  switch (status) {
    case 'active':
      return running(now);
    case 'expired':
    case 'cancelled':
      return or(stored, over);
    case 'pending':
    case 'paused':
    case 'inactive':
      return stored;
  }
}

const filters = (
  { status, user_id, product_id, ends_before, ends_after, updated_since }: SubscriptionQuery,
  now: Date,
): ConditionsFor<SubscriptionQuery> => ({
  ...equals(subscriptions, { user_id, product_id }),
  status: status && inStatus(status, now),
  ends_before: ends_before === undefined ? undefined : lt(subscriptions.end_date, ends_before),
  updated_since: changedSince(subscriptions.updated_at, updated_since),
  ends_after: ends_after === undefined ? undefined : gte(subscriptions.end_date, ends_after),
});

export const listStoreSubscriptions = (query: SubscriptionQuery, now: Date, window: Window) =>
  paged(selectSubscriptions().$dynamic(), subscriptions.id, filters(query, now), window);

export const countStoreList = (query: SubscriptionQuery, now: Date) =>
  countWhere(filters(query, now));

const countWhere = (conditions: Conditions) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(subscriptions)
    .where(allOf(conditions));

interface OfMember {
  readonly user_id: Argument<number>;
}

const ofMember = ({ user_id }: OfMember) => ({ user_id: eq(subscriptions.user_id, user_id) });

export const listSubscriptions = (member: OfMember, window: Window) =>
  paged(selectSubscriptions().$dynamic(), subscriptions.id, ofMember(member), window);

/** A user's active, paused and pending subscriptions. */
export const listCurrent = (user_id: Argument<number>, now: Date, window: Window) =>
  paged(
    selectSubscriptions().$dynamic(),
    subscriptions.id,
    {
      ...ofMember({ user_id }),
      status: or(running(now), inArray(subscriptions.status, ['paused', 'pending'])),
    },
    window,
  );

export const countSubscriptions = (member: OfMember) => countWhere(ofMember(member));

export const findSubscriptionById = (id: number, user_id?: Argument<number>) =>
  selectSubscriptions().where(
    and(
      eq(subscriptions.id, id),
      user_id === undefined ? undefined : eq(subscriptions.user_id, user_id),
    ),
  );

/** Finds what became of a subscription's sign-up fee. */
export const findSignup = (id: number) =>
  build
    .select({ signup: signupOf(sql`${subscriptions.first_order_id}`) })
    .from(subscriptions)
    .where(eq(subscriptions.id, id));

/** Counts a user's running subscriptions, and those that end within 7 days. */
export function countRunning(user_id: Argument<number>, now: Argument<Date>) {
  return build
    .select({
      active: sql<string>`count(*) filter (where ${running(now)})`.mapWith(Number),
      expiring_7d: sql<string>`count(*) filter (
        where ${running(now)} and ${subscriptions.end_date} <= ${inAWeek(now)})`.mapWith(Number),
    })
    .from(subscriptions)
    .where(eq(subscriptions.user_id, user_id));
}

/**
 * Counts the store's running subscriptions: the stored number of active ones, minus those whose end has come but isn't
 * recorded.
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

const inAWeek = (now: Argument<Date>) => sql`${instantOf(now)}::timestamptz + interval '168 hours'`;

export const running = (now: Argument<Date>) =>
  sql`${subscriptions.status} = 'active'
    and (${subscriptions.end_date} is null or ${subscriptions.end_date} > ${instantOf(now)})`;

/** The subscription of a chain. There is none before its first order completes. */
export const findSubscription = (first_order_id: SQL) =>
  build.select().from(subscriptions).where(eq(subscriptions.first_order_id, first_order_id));

export const findTerms = (first_order_id: SQL) =>
  build
    .select()
    .from(subscriptionTerms)
    .where(eq(subscriptionTerms.first_order_id, first_order_id))
    .orderBy(asc(subscriptionTerms.order_id));

/** The terms of a chain, with the statuses and options of their orders. */
export const findTermOrders = (first_order_id: SQL) =>
  build
    .select({
      ...getTableColumns(subscriptionTerms),
      status: orders.status,
      variants: orders.variants,
    })
    .from(subscriptionTerms)
    .innerJoin(orders, eq(orders.id, subscriptionTerms.order_id))
    .where(eq(subscriptionTerms.first_order_id, first_order_id));

export const findChanges = (first_order_id: SQL) =>
  build
    .select()
    .from(subscriptionChanges)
    .where(eq(subscriptionChanges.first_order_id, first_order_id))
    .orderBy(asc(subscriptionChanges.at), asc(subscriptionChanges.id));

/** Reasons of cancellations since a moment, ignoring case, most frequent first. */
export const countReasons = (since: Date, limit: number) =>
  build
    .select({
      reason: sql<string>`lower(${subscriptions.cancel_reason})`,
      subscriptions: sql<string>`count(*)`.mapWith(Number),
    })
    .from(subscriptions)
    .where(
      and(
        isNotNull(subscriptions.cancelled_at),
        isNotNull(subscriptions.cancel_reason),
        gte(subscriptions.cancelled_at, since.toISOString()),
      ),
    )
    .groupBy(sql`1`)
    .orderBy(sql`2 desc, 1`)
    .limit(limit);
