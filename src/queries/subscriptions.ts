import { type SQL, and, asc, eq, gte, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import {
  type Conditions,
  type Window,
  allOf,
  changedSince,
  equals,
  paged,
} from '../kernel/database/filters.ts';
import { products } from '../schema/products.ts';
import {
  subscriptionChanges,
  subscriptionTerms,
  subscriptions,
  type SubscriptionColumns,
} from '../schema/subscriptions.ts';
import { type Write, build, raw, type Argument, instantOf } from '../kernel/database/statements.ts';
import { holdRow, updateRow } from '../kernel/database/versions.ts';
import { timezone } from './settings.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { Chain, ChangedChain } from '../domain/subscription/chain.ts';
import { chainOf, countInstalments } from './order-chains.ts';
import { type OrderColumns, orders } from '../schema/orders.ts';
import { users } from '../schema/users.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { SubscriptionMove } from '../domain/subscription/changes.ts';
import { overStatus } from '../domain/subscription/rules.ts';
import type { SubscriptionQuery } from '../domain/subscription/schemas.ts';

const selectSubscriptions = () =>
  build
    .select({
      subscription: subscriptions,
      product: {
        title: products.title,
        price: products.price,
        subscription: products.subscription,
      },
      agreed: orders.agreed,
      user: { id: users.id, display_name: users.display_name, email: users.email },
      timezone,
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.id, subscriptions.product_id))
    .innerJoin(orders, eq(orders.id, subscriptions.first_order_id))
    .innerJoin(users, eq(users.id, subscriptions.user_id));

/** Subscriptions that have a status at a moment. */
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

/** A filter for the subscriptions of one member. */
interface OfMember {
  readonly user_id: Argument<number>;
}

const ofMember = ({ user_id }: OfMember) => ({ user_id: eq(subscriptions.user_id, user_id) });

export const listSubscriptions = (member: OfMember, window: Window) =>
  paged(selectSubscriptions().$dynamic(), subscriptions.id, ofMember(member), window);

export const countSubscriptions = (member: OfMember) => countWhere(ofMember(member));

/** A subscription by id, limited to one member if they are named. */
export const findSubscriptionById = (id: number, user_id?: Argument<number>) =>
  selectSubscriptions().where(
    and(
      eq(subscriptions.id, id),
      user_id === undefined ? undefined : eq(subscriptions.user_id, user_id),
    ),
  );

/** Counts a user's subscriptions that run at a moment, and those of them that end within 7 days. */
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
 * Counts the running subscriptions of the store: the stored number of active ones, less those whose end has come and
 * isn't recorded yet.
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

const running = (now: Argument<Date>) =>
  sql`${subscriptions.status} = 'active'
    and (${subscriptions.end_date} is null or ${subscriptions.end_date} > ${instantOf(now)})`;

/** The subscription of a chain; none before its first order completes. */
export const findSubscription = (first_order_id: SQL) =>
  build.select().from(subscriptions).where(eq(subscriptions.first_order_id, first_order_id));

/** Returns the terms of a chain's orders. */
export const findTerms = (first_order_id: SQL) =>
  build
    .select()
    .from(subscriptionTerms)
    .where(eq(subscriptionTerms.first_order_id, first_order_id))
    .orderBy(asc(subscriptionTerms.order_id));

/** The pauses of a chain, and the manual ends. */
export const findChanges = (first_order_id: SQL) =>
  build
    .select()
    .from(subscriptionChanges)
    .where(eq(subscriptionChanges.first_order_id, first_order_id))
    .orderBy(asc(subscriptionChanges.at), asc(subscriptionChanges.id));

/** Keeps other changes of a subscription out. */
export const holdSubscription = (before: SubscriptionColumns) => holdRow(subscriptions, before);

/**
 * Locks a chain for an order that renews it, so that nobody cancels it meanwhile. Orders of a plan are serialised, and
 * never exceed its number of payments.
 */
export const holdChain = (
  { order_parent_id, agreed: { plan } }: OrderColumns,
  before: SubscriptionColumns,
  { subscription }: ChangedChain,
): Write<'plan_complete'>[] => [
  ...(subscription === before ? [holdRow(subscriptions, before)] : []),
  ...(plan
    ? [
        {
          code: 'plan_complete' as const,
          statement: raw(sql`select svc_guard(
            ${countInstalments(order_parent_id ?? 0)} <= ${plan.payments}, 'plan_complete')`),
        },
      ]
    : []),
];

/** Draws the id of the subscription that an order may begin; none if its chain has one. */
export function drawSubscriptionId(target: OrderTarget) {
  const subscribes =
    target.kind === 'existing'
      ? sql`exists (select from orders o where o.id = ${target.id} and o.type <> 'regular')`
      : sql`exists (select from products p
          where p.id = ${target.product_id} and (p.subscription ->> 'active')::boolean)`;
  return raw<{ id: string }>(sql`select nextval('subscriptions_id_seq') as id
    where ${subscribes}
      and not exists (select from subscriptions where first_order_id = ${chainOf(target)})`);
}

/** Writes a chain's new state over that of the decision. */
export function saveChain(before: Chain, { subscription, term, step }: ChangedChain): Write[] {
  const known = before.terms.some(({ order_id }) => order_id === term.order_id);
  return [
    ...(subscription === before.subscription ? [] : saveSubscription(before, subscription)),
    ...(!known ? [build.insert(subscriptionTerms).values(term)] : []),
    ...(known && step
      ? [
          build
            .update(subscriptionTerms)
            .set({ activated_at: term.activated_at, until: term.until })
            .where(eq(subscriptionTerms.order_id, term.order_id)),
        ]
      : []),
  ];
}

function saveSubscription(before: Chain, after: SubscriptionColumns | undefined): Write[] {
  if (!after) return [];
  return [
    before.subscription
      ? updateRow(subscriptions, before.subscription, after)
      : build.insert(subscriptions).values(after),
  ];
}

/** Subscriptions whose end has come and isn't recorded, the oldest end first. */
export const findOver = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(and(eq(subscriptions.status, 'active'), lte(subscriptions.end_date, now.toISOString())))
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time of the next end, null if there is none. */
export const nextEnd = sql`(select min(${subscriptions.end_date}) from ${subscriptions}
  where ${subscriptions.status} = 'active')`;

/** Records that a subscription has ended, unless it changed meanwhile. */
export const expireSubscription = (before: SubscriptionColumns, now: Date) =>
  note(before, { status: overStatus(before.cancelled_at) }, now);

const note = (before: SubscriptionColumns, fields: Partial<SubscriptionColumns>, now: Date) =>
  updateRow(subscriptions, before, {
    ...before,
    ...fields,
    updated_at: now.toISOString(),
    version: before.version + 1,
  });

const unannounced = sql`${subscriptions.status} = 'active' and ${subscriptions.cancelled_at} is null
  and ${subscriptions.announced_end} is distinct from ${subscriptions.end_date}`;

/** An SQL interval: the time before a subscription's end at which it is announced. */
const ahead = sql`interval '72 hours'`;

/** Subscriptions whose end comes soon and wasn't announced, the soonest first. */
export const findEnding = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(
      and(
        unannounced,
        lte(subscriptions.end_date, sql`${now.toISOString()}::timestamptz + ${ahead}`),
      ),
    )
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time of the next announcement, null if there is none. */
export const nextAnnouncement = sql`(select min(${subscriptions.end_date}) - ${ahead} from ${subscriptions}
  where ${unannounced})`;

/** Records that a subscription's end was announced, unless it changed meanwhile. */
export const announceEnd = (before: SubscriptionColumns, now: Date) =>
  note(before, { announced_end: before.end_date }, now);

const overdue = sql`${subscriptions.status} = 'active' and ${subscriptions.cancelled_at} is null
  and ${subscriptions.announced_due} is distinct from ${subscriptions.next_due}
  and ${subscriptions.next_due} < ${subscriptions.end_date}`;

/** Subscriptions with an overdue payment that wasn't announced, the longest overdue first. */
export const findOverdue = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(and(overdue, lte(subscriptions.next_due, now.toISOString())))
    .orderBy(asc(subscriptions.next_due), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time at which the next payment is overdue, null if none is. */
export const nextOverdue = sql`(select min(${subscriptions.next_due}) from ${subscriptions}
  where ${overdue})`;

/** Records that an overdue payment was announced, unless the subscription changed meanwhile. */
export const announceOverdue = (before: SubscriptionColumns, now: Date) =>
  note(before, { announced_due: before.next_due }, now);

/** The ids of subscriptions whose pause is over, the oldest end first. */
export const findResuming = (now: Date, limit: number) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(eq(subscriptions.status, 'paused'), lte(subscriptions.resumes_at, now.toISOString())),
    )
    .orderBy(asc(subscriptions.resumes_at), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time at which the next pause ends by itself, null if none does. */
export const nextResuming = sql`(select min(${subscriptions.resumes_at}) from ${subscriptions}
  where ${subscriptions.status} = 'paused')`;

/** The reasons of cancellations since a moment, grouped without regard to case, the most frequent first. */
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

/** Writes the result of a subscription's change, over the state of the decision. */
export const saveMove = (
  before: SubscriptionColumns,
  { subscription, added, resumed_at }: SubscriptionMove,
): Write[] =>
  subscription === before
    ? []
    : [
        updateRow(subscriptions, before, subscription),
        ...(resumed_at === undefined
          ? []
          : [
              build
                .update(subscriptionChanges)
                .set({ resumed_at })
                .where(
                  and(
                    eq(subscriptionChanges.first_order_id, before.first_order_id),
                    eq(subscriptionChanges.kind, 'pause'),
                    isNull(subscriptionChanges.resumed_at),
                  ),
                ),
            ]),
        ...(added ? [build.insert(subscriptionChanges).values(added)] : []),
      ];

/** Fails the write, so that the change is decided again. */
export const tryAgain: Write = {
  code: 'rest_conflict',
  statement: raw(sql`select svc_guard(false, 'rest_conflict')`),
};
