import { type SQL, and, eq, isNull, sql } from 'drizzle-orm';
import { buyerSponsors, newBuyers } from '../schema/accounts.ts';
import { paidStatuses } from '../schema/lists.ts';
import { users } from '../schema/users.ts';
import { type Argument, type Write, build, guard, raw } from '../kernel/database/statements.ts';
import { addSeconds } from '../lib/instant.ts';
import { ofOrder } from './order-columns.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import type { OrderSponsor, SponsorState } from '../domain/purchase/sponsor.ts';
import { lockTree } from './user-writes.ts';
import { selectUsers } from './users.ts';

/** Seconds until an account of the shop ends whose owner neither paid nor signed in. */
const term = 90 * 86_400;

/** Records that the shop made an account, whose owner has neither paid nor signed in. */
export const insertNewBuyer = (user_id: number, created_at: string) =>
  build.insert(newBuyers).values({ user_id, created_at });

export const isNewBuyer = (user_id: Argument<number>) =>
  build
    .select({ user_id: newBuyers.user_id })
    .from(newBuyers)
    .where(eq(newBuyers.user_id, user_id));

/** SQL: true if a user is somebody's sponsor. */
const isSponsor = (user_id: SQL) =>
  sql`exists (select from users d where d.affiliate_id = ${user_id})`;

const buyerOf = (target: OrderTarget) =>
  target.kind === 'new' ? target.user_id : ofOrder('user_id', target.id);

/** The buyer of an order, if new; `sponsors` is 1 if the buyer is a sponsor, otherwise 0. */
export const findNewBuyer = (target: OrderTarget) => {
  const { user_id } = newBuyers;
  return build
    .select({
      sponsors: sql<string>`(${isSponsor(sql`"new_buyers"."user_id"`)})::int`.mapWith(Number),
    })
    .from(newBuyers)
    .where(eq(user_id, buyerOf(target)));
};

const orderSponsor = (value: unknown) =>
  (typeof value === 'string' ? JSON.parse(value) : value) as OrderSponsor | null;

/** SQL: the first paid order of a buyer, except one, that gives a sponsor (`sponsorBy`). */
const nextSponsor = (user_id: SQL, except: number | SQL) =>
  sql`(
    select jsonb_build_object('order_id', o.id, 'affiliate_id', o.affiliate_id) from orders o
     where o.user_id = ${user_id} and o.id <> ${except} and o.affiliate_id is not null
       and o.paid_at is not null and o.deleted_at is null and o.status in ${[...paidStatuses]}
       and o.attribution ->> 'source' is distinct from 'sponsor'
     order by o.paid_at, o.id limit 1)`;

/** The order that gave its buyer a sponsor, for the buyer of an order. `sponsors` is as above. */
export const findBuyerSponsor = (target: OrderTarget) =>
  selectBuyerSponsors(target.kind === 'new' ? 0 : target.id).where(
    eq(buyerSponsors.user_id, buyerOf(target)),
  );

function selectBuyerSponsors(except: number | SQL) {
  const user_id = sql`"buyer_sponsors"."user_id"`;
  return build
    .select({
      user_id: buyerSponsors.user_id,
      order_id: buyerSponsors.order_id,
      sponsors: sql<string>`(${isSponsor(user_id)})::int`.mapWith(Number),
      next: nextSponsor(user_id, except).mapWith(orderSponsor),
    })
    .from(buyerSponsors);
}

/**
 * The orders that gave sponsors to the buyers of some orders. `sponsors` is as above; `next` is none of these orders.
 * @param order_ids a subselect
 */
export const findBuyerSponsorsIn = (order_ids: SQL) =>
  selectBuyerSponsors(allOrders(order_ids)).where(
    sql`${buyerSponsors.user_id} in (${buyersIn(order_ids)})`,
  );

/** The buyers of these orders whose orders decide their sponsor. */
export const findSponsoredBuyersIn = (order_ids: SQL) =>
  selectUsers().where(
    sql`${users.id} in (select user_id from buyer_sponsors where user_id in (${buyersIn(order_ids)}))`,
  );

/** SQL after `<>`: excludes all of these orders. */
export const allOrders = (order_ids: SQL) => sql`all (array(${order_ids}))`;

const buyersIn = (order_ids: SQL) =>
  sql`select o.user_id from orders o where o.id in (${order_ids})`;

/** Keeps an account after its owner paid or signed in. */
export const keepNewBuyer = (user_id: number) =>
  build.delete(newBuyers).where(eq(newBuyers.user_id, user_id));

/** Requires that no other order changed a buyer's sponsor since the decision, until the commit. */
export const holdBuyerSponsor = (user_id: number, order_id: number | null) =>
  guard(
    build
      .select({ user_id: buyerSponsors.user_id })
      .from(buyerSponsors)
      .where(and(eq(buyerSponsors.user_id, user_id), isOrder(order_id)))
      .for('share'),
    'rest_conflict',
  );

const isOrder = (order_id: number | null) =>
  order_id === null ? isNull(buyerSponsors.order_id) : eq(buyerSponsors.order_id, order_id);

/**
 * Changes the sponsor of a buyer whose orders decide it, unless the buyer became a sponsor, or the sponsor or its order
 * changed in the meantime.
 */
export const changeSponsor = (
  user_id: number,
  before: Pick<SponsorState, 'affiliate_id' | 'order_id'>,
  after: OrderSponsor,
  now: Date,
): Write[] => [
  ...(after.affiliate_id === before.affiliate_id
    ? []
    : moveBuyer(user_id, before.affiliate_id, after.affiliate_id, now)),
  before.order_id === undefined
    ? guard(
        build
          .insert(buyerSponsors)
          .values({ user_id, order_id: after.order_id })
          .onConflictDoNothing()
          .returning({ user_id: buyerSponsors.user_id }),
        'rest_conflict',
      )
    : guard(
        build
          .update(buyerSponsors)
          .set({ order_id: after.order_id })
          .where(and(eq(buyerSponsors.user_id, user_id), isOrder(before.order_id)))
          .returning({ user_id: buyerSponsors.user_id }),
        'rest_conflict',
      ),
];

/** Keeps the buyer's orders from changing a sponsor that is set by hand. */
export const deleteBuyerSponsor = (user_id: number) =>
  build.delete(buyerSponsors).where(eq(buyerSponsors.user_id, user_id));

const moveBuyer = (
  user_id: number,
  before: number | null,
  after: number | null,
  now: Date,
): Write[] => [
  lockTree,
  guard(
    sql`update users u set affiliate_id = ${after}, version = version + 1,
         updated_at = ${now.toISOString()}
    where u.id = ${user_id} and u.affiliate_id is not distinct from ${before}
      and (${after}::bigint is null or not ${isSponsor(sql`u.id`)})
    returning u.id`,
    'rest_conflict',
  ),
];

/** Requires that another order still gives the sponsor, or none. The buyer's row is locked (`changeSponsor`). */
export const expectNextSponsor = (
  user_id: number,
  except: number | SQL,
  next: OrderSponsor | null,
) =>
  guard(
    sql`select where ${nextSponsor(sql`${user_id}`, except)} is not distinct from
      ${next && JSON.stringify(next)}::jsonb`,
    'rest_conflict',
  );

const before = (now: Date) => sql`${addSeconds(now.toISOString(), -term)}::timestamptz`;

/** An SQL expression: true if an account's term is over. */
export const someBuyersStale = (now: Date) =>
  sql`(select min(created_at) from new_buyers) < ${before(now)}`;

export const findStaleBuyers = (now: Date, limit: number) =>
  raw<{ id: number }>(sql`select user_id::float8 as id from new_buyers
    where created_at < ${before(now)} order by created_at limit ${limit}`);

/**
 * Returns a row for an account in use: somebody changed it, or it has more than old cancelled orders for which no money
 * came through a payment provider.
 */
export const findUse = (user_id: number, now: Date) =>
  raw<{ used: true }>(sql`select true as used where
    exists (select from users u where u.id = ${user_id} and u.version > 1)
    or exists (select from users d where d.affiliate_id = ${user_id})
    or exists (select from orders o where o.user_id = ${user_id}
         and (o.status <> 'cancelled' or o.paid_at is not null or o.created_at >= ${before(now)}))
    or exists (select from payment_sessions s join orders o on o.id = s.order_id
         where o.user_id = ${user_id} and s.paid_amount is not null)
    or exists (select from access_grants g where g.user_id = ${user_id} and g.status <> 'revoked')
    or exists (select from licenses l where l.user_id = ${user_id} and l.order_id is null)`);

/** Refuses to end an account in use. */
export const expectUnused = (user_id: number, now: Date): Write =>
  guard(sql`select where not exists (${findUse(user_id, now)})`, 'rest_conflict');
