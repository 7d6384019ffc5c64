import { type SQL, and, asc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { type OrderVariant, orders } from '../schema/orders.ts';
import { openStatuses, statusGroupMembers } from '../schema/lists.ts';
import { listed } from '../kernel/database/columns.ts';

import type { OrderTarget } from '../domain/order/change.ts';
import type { ChainSignup } from '../domain/subscription/offer.ts';
import { type Argument, build, guard, isGiven, sendIf } from '../kernel/database/statements.ts';
import { subscriptionTerms, subscriptions } from '../schema/subscriptions.ts';

export const firstOrderOf = (order_id: number | SQL) =>
  sql`(select coalesce(o.order_parent_id, o.id) from orders o where o.id = ${order_id})`;

/** The first order of the chain that an order belongs to or joins; 0 for a new chain. */
export const chainOf = (target: OrderTarget) =>
  firstOrderOf(target.kind === 'existing' ? target.id : (target.order_parent_id ?? 0));

/** The quantity of a chain's first order, which all its orders have. */
export const quantityOfChain = (order_id: number | SQL) =>
  sql<number>`(select f.quantity from orders f where f.id = ${firstOrderOf(order_id)})`.mapWith(
    Number,
  );

/**
 * The options of a subscription's last term, which its renewals have. Former renewals and imports may name none: then
 * those of the first order count.
 * @param order_id of the term; its order may be erased
 * @param first the options of the first order
 */
export const variantsOfTerm = (order_id: SQL, first: SQL) =>
  sql<
    OrderVariant[]
  >`coalesce((select nullif(v.variants, '[]') from orders v where v.id = ${order_id}), ${first})`.mapWith(
    orders.variants,
  );

export const inChain = (first_order_id: SQL) =>
  sql`${orders.id} in (select t.order_id from subscription_terms t where t.first_order_id = ${first_order_id})`;

/** @param condition on a term `t` and its order `i` */
const countTerms = (first_order_id: SQL | number, condition: SQL) =>
  sql<number>`(select count(*) from subscription_terms t join orders i on i.id = t.order_id
    where t.first_order_id = ${first_order_id} and ${condition})`.mapWith(Number);

/** A condition on an order `i`: it is open or completed. */
const isUnclosed = sql`i.status not in (${sql.raw(listed(statusGroupMembers.closed))})`;

/** Counts a chain's orders that pay for an instalment, or still may. Trials and closed orders don't. */
export const countInstalments = (first_order_id: SQL | number) =>
  countTerms(first_order_id, sql`t.type <> 'subscription-tryout' and ${isUnclosed}`);

const isPresent = sql`i.deleted_at is null and ${isUnclosed}`;

/** Counts a chain's orders with the sign-up fee that are neither closed nor deleted. */
export const countSignups = (first_order_id: SQL | number) =>
  countTerms(first_order_id, sql`t.type = 'subscription-signup' and ${isPresent}`);

/** Tells what became of a chain's sign-up fee; null if no order had it, or it was refunded. */
export const signupOf = (first_order_id: SQL) =>
  sql<ChainSignup | null>`(select case when bool_or(${isPresent}) then 'charged'
      when bool_or(i.status = 'cancelled') then 'cancelled' end
    from subscription_terms t join orders i on i.id = t.order_id
    where t.first_order_id = ${first_order_id} and t.type = 'subscription-signup')`.mapWith(
    (text: string) => text as ChainSignup,
  );

/** A deleted first order can still be the parent once its subscription has a later order. */
const mayBeParent = or(
  isNull(orders.deleted_at),
  and(isNull(orders.order_parent_id), ne(subscriptions.order_id, orders.id)),
);

/** The parent of an order, with the subscription of its chain. */
export const findParentOrder = (id: Argument<number> | undefined) =>
  sendIf(isGiven(id), () =>
    build
      .select({
        first_order_id: sql<string>`coalesce(${orders.order_parent_id}, ${orders.id})`.mapWith(
          Number,
        ),
        quantity: quantityOfChain(id ?? 0),
        variants: variantsOfTerm(
          sql`${subscriptions.order_id}`,
          sql`coalesce((select f.variants from orders f where f.id = ${firstOrderOf(sql`${orders.id}`)}), ${orders.variants})`,
        ),
        // An import may bring orders of other buyers than the subscriber.
        user_id: sql<string>`coalesce(${subscriptions.user_id}, ${orders.user_id})`.mapWith(Number),
        product_id: orders.product_id,
        subscription: subscriptions,
        agreed: orders.agreed,
        instalments: countInstalments(sql`coalesce(${orders.order_parent_id}, ${orders.id})`),
        signup: signupOf(sql`coalesce(${orders.order_parent_id}, ${orders.id})`),
      })
      .from(orders)
      .leftJoin(
        subscriptions,
        eq(subscriptions.first_order_id, sql`coalesce(${orders.order_parent_id}, ${orders.id})`),
      )
      .where(and(eq(orders.id, id ?? 0), mayBeParent)),
  );

export const firstOrderOfSubscription = (id: Argument<number>) =>
  sql<number>`(select s.first_order_id from subscriptions s where s.id = ${id})`;

/** The orders of a chain, the first order first. */
export const findOrdersOfChain = (first_order_id: SQL) =>
  build
    .select({
      id: orders.id,
      number: orders.number,
      status: orders.status,
      grand_total: orders.grand_total,
      refunded_total: orders.refunded_total,
      currency: orders.currency,
      paid_at: orders.paid_at,
      created_at: orders.created_at,
    })
    .from(orders)
    .where(and(inChain(first_order_id), isNull(orders.deleted_at)))
    .orderBy(asc(orders.id));

/** The orders of a subscription's user whose terms count. An import may bring renewals of other buyers. */
export const findCountedOrders = (id: number) =>
  build
    .select({ order_id: orders.id, user_id: orders.user_id })
    .from(orders)
    .innerJoin(subscriptionTerms, eq(subscriptionTerms.order_id, orders.id))
    .innerJoin(subscriptions, eq(subscriptions.first_order_id, subscriptionTerms.first_order_id))
    .where(
      and(
        eq(subscriptions.id, id),
        eq(subscriptions.user_id, orders.user_id),
        isNotNull(subscriptionTerms.activated_at),
        isNull(orders.deleted_at),
      ),
    )
    .orderBy(asc(orders.id));

/** Renewals that are neither completed nor closed, paid or not. */
export const findOpenRenewals = (id: number) =>
  build.select({ id: orders.id }).from(orders).where(isOpenRenewal(id));

/** Renewals without a payment that can still be cancelled: those on delivery until they are shipped. */
export const findUnpaidRenewals = (id: number) =>
  build.select({ id: orders.id, status: orders.status }).from(orders).where(isUnpaidRenewal(id));

/** The open renewal that decides what is to be paid now: if possible, one that doesn't wait for its payment. */
export const findDecidingRenewal = (first_order_id: SQL) =>
  build
    .select({
      grand_total: orders.grand_total,
      waits: sql<boolean>`${orders.status} = 'on-hold'`.as('waits'),
    })
    .from(orders)
    .where(isOpenRenewalOf(first_order_id))
    .orderBy(sql`waits`, asc(orders.id))
    .limit(1);

const isOpenRenewal = (id: number) => isOpenRenewalOf(firstOrderOfSubscription(id));

const isOpenRenewalOf = (first_order_id: SQL) =>
  and(
    inChain(first_order_id),
    isNotNull(orders.order_parent_id),
    isNull(orders.deleted_at),
    inArray(orders.status, [...openStatuses]),
  );

const isUnpaidRenewal = (id: number) =>
  and(isOpenRenewal(id), isNull(orders.paid_at), ne(orders.status, 'shipping'));

/** Unpaid, and no payment is being checked. */
const isWaitingRenewal = (id: number) =>
  and(isUnpaidRenewal(id), ne(orders.status, 'payment-confirm'));

/** Refuses a second open renewal. */
export const expectNoRenewal = (id: number) =>
  guard(sql`select where not exists (${findOpenRenewals(id)})`, 'rest_conflict');

/** Refuses a cancellation at once if an unpaid renewal is left. */
export const expectNoneUnpaid = (id: number) =>
  guard(sql`select where not exists (${findUnpaidRenewals(id)})`, 'rest_conflict');

/** Refuses a cancellation if a renewal was ordered meanwhile, because none may wait for its payment afterwards. */
export const expectNoneWaiting = (id: number) =>
  guard(
    sql`select where not exists (select from ${orders} where ${isWaitingRenewal(id)})`,
    'rest_conflict',
  );

/** The id of a renewal that waits for its payment, by its index from 0. */
export const waitingRenewal = (id: number, place: number) => sql`(select ${orders.id} from ${orders}
  where ${isWaitingRenewal(id)} order by ${orders.id} offset ${place} limit 1)`;
