import { and, asc, eq, exists, isNull, lte, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type CommissionColumns, commissions } from '../schema/commissions.ts';
import { type PayoutRow, sumOf } from '../domain/payout/rules.ts';
import type { Instant } from '../lib/instant.ts';
import { moveLinesOf } from './payout-lines.ts';
import { type Write, build, raw } from '../kernel/database/statements.ts';
import { openStatuses } from '../schema/lists.ts';
import { until } from '../kernel/database/filters.ts';

const isPayable = (affiliate_id: number, now: Date) =>
  and(
    eq(commissions.affiliate_id, affiliate_id),
    eq(commissions.status, 'added'),
    isNull(commissions.paid_at),
    eq(commissions.held, false),
    or(isNull(commissions.hold_until), lte(commissions.hold_until, now.toISOString())),
  );

const sale = alias(commissions, 'sale');

/** Picks the commissions up to a date, with the adjustments of their sales whenever those came: all of what a sale earns. */
const earnedUntil = (date_end: string | undefined) =>
  date_end === undefined
    ? undefined
    : or(
        until(commissions.created_at, date_end),
        exists(
          build
            .select({ id: sale.id })
            .from(sale)
            .where(and(eq(sale.id, commissions.parent_id), until(sale.created_at, date_end))),
        ),
      );

/** The commissions of an affiliate that can be paid out, of sales up to a date where one is given. */
export const findPayable = (affiliate_id: number, date_end: string | undefined, now: Date) =>
  build
    .select()
    .from(commissions)
    .where(and(isPayable(affiliate_id, now), earnedUntil(date_end)))
    .orderBy(asc(commissions.id));

/** Pays each of these commissions, if every one of them is still payable for the same amount. */
export const payCommissions = (
  payout: PayoutRow['payout'],
  rows: readonly CommissionColumns[],
  now: Date,
): Write => ({
  code: 'rest_conflict',
  statement: raw(sql`with held as materialized (
      select id from ${commissions}
       where ${isPayable(payout.affiliate_id, now)}
         and ${commissions.id} = any (${sql.param(rows.map(({ id }) => id))}::bigint[])
       order by id for update
    ), paid as (
      update commissions c set paid_at = ${now.toISOString()}, payout_id = ${payout.id},
             updated_at = ${now.toISOString()}, version = c.version + 1
        from held where c.id = held.id
      returning c.commission
    ) select svc_guard((
        select (count(*), coalesce(sum(commission), 0)) = (${rows.length}::bigint, ${sumOf(rows)}::numeric)
          from paid
      ), 'rest_conflict')`),
});

/**
 * Takes the payment of the commissions of payouts back: they can be paid out again, or wait with their orders, which are
 * held, where those are no longer completed.
 */
export const unpayCommissions = (ids: readonly number[], at: Instant): Write[] => [
  moveLinesOf(sql`select order_id from commissions where ${paidBy(ids)}`),
  raw(sql`with tiers as (
      select distinct c.order_id, c.tier,
             o.status = any (${sql.param([...openStatuses])}::text[]) and not exists (
               select from commissions p where p.order_id = c.order_id and p.tier = c.tier
                  and p.paid_at is not null and (p.${paidBy(ids)}) is not true
             ) as waits
        from commissions c join orders o on o.id = c.order_id where c.${paidBy(ids)}
    )
    update commissions c set paid_at = null, payout_id = null, updated_at = ${at},
           status = case when t.waits then 'pending' else 'added' end,
           hold_until = case when t.waits then null else c.hold_until end,
           payout_line_id = case when t.waits then null else c.payout_line_id end,
           version = c.version + 1
      from tiers t
     where c.order_id = t.order_id and c.tier = t.tier
       and (c.${paidBy(ids)} or (t.waits and c.status = 'added' and c.paid_at is null))`),
];

const paidBy = (ids: readonly number[]) => sql`payout_id = any (${sql.param(ids)}::bigint[])`;
