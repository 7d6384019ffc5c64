import { type SQL, and, asc, inArray, isNull, sql } from 'drizzle-orm';
import { build, raw } from '../kernel/database/statements.ts';
import { type Instant, instantFromDatabase } from '../lib/instant.ts';
import type { CountedMutation } from '../domain/payment/mutations.ts';
import { largestCode } from '../schema/platform.ts';
import { isReported, lagSeconds } from './transfer-figures.ts';
import { orders, waitedForTransfer, waitedUntil, waitsPlainly } from '../schema/orders.ts';

type Figure = Pick<CountedMutation, 'amount' | 'currency' | 'occurred_at'>;

/** The most orders to look at: if there are several, only a person can tell which one is meant. */
const several = 10;

/**
 * Orders that wait for an amount by one of these gateways, oldest first.
 * @param gateways may be none
 */
export const findWaiting = ({ amount, currency }: Figure, gateways: readonly string[]) =>
  build
    .select({
      id: orders.id,
      payment_gateway: orders.payment_gateway,
      currency: orders.currency,
      grand_total: orders.grand_total,
      unique_code: orders.unique_code,
      created_at: orders.created_at,
    })
    .from(orders)
    .where(
      and(
        sql`${orders.id} = any (array(
          select order_id from payable_claims
           where currency = ${currency} and amount = ${amount} and held_until is null
          union all
          select id from orders
           where ${waitsPlainly} and currency = ${currency} and grand_total = ${amount}))`,
        inArray(orders.payment_gateway, [...gateways]),
        isNull(orders.deleted_at),
      ),
    )
    .orderBy(asc(orders.id))
    .limit(several);

/** The id of the oldest order that waits for an amount; null if none waits. */
export const firstWaiting = (figure: Figure, gateways: readonly string[]): SQL =>
  sql`(select id from (${findWaiting(figure, gateways).getSQL()}) waiting order by id limit 1)`;

/**
 * The time until which a transfer may belong to an order that no longer waits for it: a cancelled one, one that keeps
 * its amount, or one that was marked paid before its transfer was reported. The former account of the waiting order
 * itself doesn't count. An order with a code that waits for the amount in another account holds this transfer whenever it
 * came: its buyer may have paid to the former account.
 */
export const findHeld = ({ amount, currency, occurred_at }: Figure, waiting: SQL) =>
  raw<{ until: string | null }>(sql`
    select max(until) as until from (
      select greatest(earlier_until, case when c.order_id is distinct from ${waiting}
               and not ${isReported(sql`c.order_id`)}
               then coalesce(held_until, ${occurred_at}::timestamptz + interval '1 second') end) as until
        from payable_claims c
       where currency = ${currency} and amount = ${amount}
      union all
      select case when o.paid_at is null
               then o.cancelled_at + make_interval(days => s.transfer_hold_days)
               else o.paid_at + make_interval(secs => ${lagSeconds}) end
        from settings s, (
          select * from orders
           where ${waitedForTransfer} and currency = ${currency} and grand_total = ${amount}
             and ${waitedUntil} > ${occurred_at}::timestamptz - greatest(
               make_interval(secs => ${lagSeconds}),
               make_interval(days => (select transfer_hold_days from settings)))) o
       where not ${isReported(sql`o.id`)}) held`);

/** The orders that a reservation `c` is for, with their codes: its order `o`, and one that had the amount before. */
const holders = sql`(values
  (c.order_id, coalesce(c.held_until, 'infinity'),
   case when c.held_until is null then o.unique_code else coalesce(c.unique_code, o.unique_code) end),
  (null, c.earlier_until, c.earlier_code)) holder (order_id, until, code)`;

/**
 * Tells if the buyer of another order that waits for a transfer, or recently did, may have left out its unique code.
 * `of_another`: without its code, another order than the waiting one has exactly this amount. `possible`: the settings allow
 * such a code, or the store was upgraded recently, from a version that may have changed the buyer's order. `is_first`: no
 * transfer has come since the upgrade.
 */
export const findLeftOutCode = ({ amount, currency, occurred_at }: Figure, waiting: SQL) =>
  raw<{ of_another: boolean; possible: boolean; is_first: boolean }>(sql`
    with near as materialized (
      select c.amount, holder.order_id, holder.code
        from payable_claims c left join orders o on o.id = c.order_id cross join lateral ${holders}
       where c.currency = ${currency}
         and c.amount between ${amount}::bigint - ${largestCode} and ${amount}::bigint + ${largestCode}
         and holder.until > ${occurred_at}::timestamptz)
    select exists (select from near where amount - code = ${amount} and code <> 0
                    and order_id is distinct from ${waiting}) as of_another,
           exists (select from near, settings s
              where s.unique_code_enabled and amount between
                ${amount}::bigint + case s.unique_code_operation when 'added' then 1 else -s.unique_code_largest end
                and ${amount}::bigint + case s.unique_code_operation when 'added' then s.unique_code_largest else -1 end
             union all
             select from settings where coalesce(plain_transfers_held_until, 'infinity') > ${occurred_at}::timestamptz
           ) as possible,
           exists (select from settings where plain_transfers_held_until is null) as is_first`);

/** Begins the hold of transfers for orders without a code after an upgrade. */
export const beginHold = (now: Date) =>
  raw(sql`update settings
      set plain_transfers_held_until = ${now.toISOString()}::timestamptz + make_interval(days => transfer_hold_days)
    where plain_transfers_held_until is null`);

/** The time that `findHeld` found. */
export const heldUntil = ({ rows }: { rows: { until: string | null }[] }): Instant | null =>
  rows[0]?.until ? instantFromDatabase(rows[0].until) : null;

/** Counts orders without a code that wait for a transfer. Only for stores that use codes. */
export const countWithoutCode = () =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(orders)
    .where(
      and(sql`(select unique_code_enabled from settings)`, waitsPlainly, isNull(orders.deleted_at)),
    );
