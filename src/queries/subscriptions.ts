import { type SQL, and, asc, eq, lte, sql } from 'drizzle-orm';
import { type Window, paged } from '../kernel/database/filters.ts';
import { products } from '../schema/products.ts';
import {
  subscriptionTerms,
  subscriptions,
  type SubscriptionColumns,
} from '../schema/subscriptions.ts';
import { type Write, build, raw, type Argument, instantOf } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import { timezone } from './settings.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { Chain, ChangedChain } from '../domain/subscription/chain.ts';
import { chainOf } from './order-chains.ts';

const selectSubscriptions = () =>
  build
    .select({
      subscription: subscriptions,
      product: {
        title: products.title,
        price: products.price,
        subscription: products.subscription,
      },
      timezone,
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.id, subscriptions.product_id));

/** The filters of a list of subscriptions. */
interface ListedBy {
  readonly user_id: Argument<number>;
}

export const listSubscriptions = ({ user_id }: ListedBy, window: Window) =>
  paged(
    selectSubscriptions().$dynamic(),
    subscriptions.id,
    { user_id: eq(subscriptions.user_id, user_id) },
    window,
  );

export const countSubscriptions = ({ user_id }: ListedBy) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(subscriptions)
    .where(eq(subscriptions.user_id, user_id));

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
 * Counts the running subscriptions of the whole store: the kept number of active ones, less those whose end has come
 * and isn't recorded yet.
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
  sql`${subscriptions.status} = 'active' and ${subscriptions.end_date} > ${instantOf(now)}`;

/** The subscription of a chain, none before its first order completes. */
export const findSubscription = (first_order_id: SQL) =>
  build.select().from(subscriptions).where(eq(subscriptions.first_order_id, first_order_id));

/** Returns the terms of a chain's orders. */
export const findTerms = (first_order_id: SQL) =>
  build
    .select()
    .from(subscriptionTerms)
    .where(eq(subscriptionTerms.first_order_id, first_order_id));

/** Draws the id of the subscription that an order may begin; none where its chain has one. */
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

/** Subscriptions whose end has come and isn't noted down, the longest ago first. */
export const findOver = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(and(eq(subscriptions.status, 'active'), lte(subscriptions.end_date, now.toISOString())))
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time of the next end, null if there is none. */
export const nextEnd = sql`(select min(${subscriptions.end_date}) from ${subscriptions}
  where ${subscriptions.status} = 'active')`;

/** Notes down that a subscription is over, unless something changed it meanwhile. */
export const expireSubscription = (before: SubscriptionColumns, now: Date) =>
  updateRow(subscriptions, before, {
    ...before,
    status: 'expired',
    updated_at: now.toISOString(),
    version: before.version + 1,
  });

const unannounced = sql`${subscriptions.status} = 'active'
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

/** Notes that a subscription's end was announced, unless something changed it meanwhile. */
export const announceEnd = (before: SubscriptionColumns, now: Date) =>
  updateRow(subscriptions, before, {
    ...before,
    announced_end: before.end_date,
    updated_at: now.toISOString(),
    version: before.version + 1,
  });
