import { type SQL, eq, sql } from 'drizzle-orm';
import { newBuyers } from '../schema/accounts.ts';
import { type Argument, type Write, build, guard, raw } from '../kernel/database/statements.ts';
import { addSeconds } from '../lib/instant.ts';
import { ofOrder } from './order-columns.ts';
import type { OrderTarget } from '../domain/order/change.ts';
import { lockTree } from './user-writes.ts';

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

/** The buyer of an order, if new; `sponsors` is 1 if the buyer is a sponsor, otherwise 0. */
export const findNewBuyer = (target: OrderTarget) => {
  const { user_id } = newBuyers;
  return build
    .select({
      sponsors: sql<string>`(${isSponsor(sql`"new_buyers"."user_id"`)})::int`.mapWith(Number),
    })
    .from(newBuyers)
    .where(eq(user_id, target.kind === 'new' ? target.user_id : ofOrder('user_id', target.id)));
};

/** Keeps an account after its owner paid or signed in. */
export const keepNewBuyer = (user_id: number) =>
  build.delete(newBuyers).where(eq(newBuyers.user_id, user_id));

/** Sets a new buyer's sponsor, unless the buyer became a sponsor or got one in the meantime. */
export const giveSponsor = (user_id: number, sponsor: number, now: Date): Write[] => [
  lockTree,
  guard(
    sql`update users u set affiliate_id = ${sponsor}, version = version + 1,
         updated_at = ${now.toISOString()}
    where u.id = ${user_id} and u.affiliate_id is null and not ${isSponsor(sql`u.id`)}
    returning u.id`,
    'rest_conflict',
  ),
];

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
