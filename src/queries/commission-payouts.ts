import { type SQL, and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { commissions } from '../schema/commissions.ts';
import { patternsFor } from '../kernel/events/outbox.ts';
import type { PayoutRow } from '../domain/payout/rules.ts';
import type { Instant } from '../lib/instant.ts';
import { moveLinesOf } from './payout-lines.ts';
import { type Write, build, raw } from '../kernel/database/statements.ts';
import { openStatuses } from '../schema/lists.ts';
import { until } from '../kernel/database/filters.ts';

/** Selects commissions that can be paid out: neither held nor in a draft. */
export const isFree = (now: Date) =>
  and(
    eq(commissions.status, 'added'),
    isNull(commissions.paid_at),
    isNull(commissions.payout_line_id),
    eq(commissions.held, false),
    or(isNull(commissions.hold_until), lte(commissions.hold_until, now.toISOString())),
  );

/**
 * Selects the free commissions that a payout or a draft takes. Later changes wait for the next one, so the sum stays the
 * same during the request.
 */
export const isPayable = (now: Date) =>
  and(isFree(now), lte(commissions.updated_at, now.toISOString()));

const sale = alias(commissions, 'sale');

/**
 * Selects the commissions up to a date with all adjustments of their sales, and the adjustments of sales that were paid.
 * The subquery returns a boolean, because PostgreSQL reads all commissions of the store for an `exists`.
 */
export const earnedUntil = (date_end: string | undefined) =>
  date_end === undefined
    ? undefined
    : or(
        until(commissions.created_at, date_end),
        sql`(${build
          .select({
            isTaken: sql`${or(until(sale.created_at, date_end), isNotNull(sale.paid_at))}`,
          })
          .from(sale)
          .where(eq(sale.id, commissions.parent_id))})`,
      );

interface Taken {
  readonly affiliate_id: number;
  readonly date_end?: string | undefined;
  readonly now: Date;
}

const taken = ({ affiliate_id, date_end, now }: Taken) =>
  and(eq(commissions.affiliate_id, affiliate_id), isPayable(now), earnedUntil(date_end));

export const sumPayable = (which: Taken) =>
  build
    .select({
      amount: sql<string>`coalesce(sum(${commissions.commission}), 0)`.mapWith(Number),
      commissions: sql<string>`count(*)`.mapWith(Number),
    })
    .from(commissions)
    .where(taken(which));

/** Pays a payout's commissions if their sum is unchanged. */
export const payCommissions = (payout: PayoutRow['payout'], which: Taken): Write => ({
  code: 'rest_conflict',
  statement: raw(sql`with held as materialized (
      select id from ${commissions} where ${taken(which)} order by id for update
    ), paid as (
      update commissions c set paid_at = ${payout.created_at}, payout_id = ${payout.id},
             updated_at = ${payout.created_at}, version = c.version + 1
        from held where c.id = held.id
      returning c.commission
    ) select svc_guard((
        select (count(*), coalesce(sum(commission), 0))
             = (${payout.commissions}::bigint, ${payout.amount}::numeric)
          from paid
      ), 'rest_conflict')`),
});

/** Writes `commission.paid` for each commission and subscribed webhook. */
export const publishPaid = (payout_ids: SQL, now: Date) =>
  raw(sql`with wanting as materialized (
      select id from webhooks where status in ('active', 'paused') and deleted_at is null
         and events && ${sql.param(patternsFor('commission.paid'))}::text[]
    ), paid as materialized (
      select c.*, gen_random_uuid() as event_id from commissions c
       where exists (select from wanting) and c.payout_id in (${payout_ids})
    )
    insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
    select w.id, c.event_id, 'commission.paid', c.id, ${paidRecord}, ${now.toISOString()},
           ${now.toISOString()}
      from paid c cross join wanting w order by c.id, w.id`);

const instantText = (column: SQL) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A paid commission `c` as in the API. */
const paidRecord = sql`jsonb_build_object(
  'id', c.id, 'order_id', c.order_id, 'product_id', c.product_id, 'affiliate_id', c.affiliate_id,
  'buyer_id', c.buyer_id, 'tier', c.tier, 'kind', c.kind, 'commission', c.commission,
  'currency', c.currency, 'base_amount', c.base_amount, 'rate_type', c.rate_type,
  'rate', trim_scale(c.rate), 'rate_source', c.rate_source, 'status', c.status,
  'paid_status', true, 'state', 'paid', 'hold_until', ${instantText(sql`c.hold_until`)},
  'paid_at', ${instantText(sql`c.paid_at`)}, 'payout_id', c.payout_id, 'payout_line_id', null,
  'flags', c.flags, 'parent_id', c.parent_id, 'note', c.note,
  'created_at', ${instantText(sql`c.created_at`)}, 'updated_at', ${instantText(sql`c.updated_at`)},
  'version', c.version)`;

/**
 * Marks the commissions of payouts as unpaid: payable, or pending if their orders are no longer completed. A payable one
 * joins the draft of its tier's other rows, which may deduct it. The caller holds these orders.
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
           payout_line_id = case when not t.waits then (
             select max(d.payout_line_id) from commissions d
              where d.order_id = c.order_id and d.tier = c.tier and d.affiliate_id = c.affiliate_id) end,
           version = c.version + 1
      from tiers t
     where c.order_id = t.order_id and c.tier = t.tier
       and (c.${paidBy(ids)} or (t.waits and c.status = 'added' and c.paid_at is null))`),
];

const paidBy = (ids: readonly number[]) => sql`payout_id = any (${sql.param(ids)}::bigint[])`;
