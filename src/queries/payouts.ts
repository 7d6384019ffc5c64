import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import {
  countRows,
  equals,
  inStatuses,
  isDated,
  paged,
  since,
  until,
} from '../kernel/database/filters.ts';
import { commissions, payouts } from '../schema/commissions.ts';
import { users } from '../schema/users.ts';
import { type Write, build, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { PageWindow } from '../kernel/endpoint/pagination.ts';
import { payoutStatuses } from '../schema/lists.ts';
import type { CommissionColumns } from '../schema/commissions.ts';
import { type PayoutRow, sumOf } from '../domain/payout/rules.ts';
import type { PayoutQuery } from '../domain/payout/schemas.ts';

const select = () =>
  build
    .select({ payout: payouts, affiliate: { id: users.id, display_name: users.display_name } })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.affiliate_id));

export const findPayout = (id: number) => select().where(eq(payouts.id, id));

const filters = ({ affiliate_id, status, date_start, date_end }: PayoutQuery) => ({
  ...equals(payouts, { affiliate_id, status }),
  date_start: since(payouts.created_at, date_start),
  date_end: until(payouts.created_at, date_end),
});

export const listPayouts = (query: PayoutQuery, window: PageWindow) =>
  paged(select().$dynamic(), payouts.id, filters(query), window, {
    time: isDated(query) ? payouts.created_at : undefined,
  });

/** How many payouts match; all of them, and those of each status, are counted already. */
export const countPayouts = (query: PayoutQuery) =>
  countRows(inStatuses('payouts', payoutStatuses, query.status), payouts, filters(query), [
    'status',
  ]);

/** Who can be owed something: every user, those who were erased included. */
export const findPayee = (id: number) =>
  build
    .select({ id: users.id, display_name: users.display_name })
    .from(users)
    .where(eq(users.id, id));

/** Whether a commission can be paid out at a moment. */
const isPayable = (affiliate_id: number, now: Date) =>
  and(
    eq(commissions.affiliate_id, affiliate_id),
    eq(commissions.status, 'added'),
    isNull(commissions.paid_at),
    or(isNull(commissions.hold_until), lte(commissions.hold_until, now.toISOString())),
  );

/** The commissions of an affiliate that can be paid out, those up to a date where one is given. */
export const findPayable = (affiliate_id: number, date_end: string | undefined, now: Date) =>
  build
    .select()
    .from(commissions)
    .where(and(isPayable(affiliate_id, now), until(commissions.created_at, date_end)))
    .orderBy(asc(commissions.id));

/**
 * Writes a payout and pays each of its commissions, if every one of them is still payable for the
 * same amount. Where another payout came first, the decision is made again.
 */
export const insertPayout = (
  { payout }: PayoutRow,
  rows: readonly CommissionColumns[],
  now: Date,
): Write[] => [
  build.insert(payouts).values(payout),
  {
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
  },
];

/**
 * Cancels a payout: its commissions can be paid out again, or wait with their order where that is no
 * longer completed. The orders are held first, so that none moves on meanwhile.
 */
export const cancelPayout = (before: PayoutRow, { payout }: PayoutRow): Write[] => [
  updateRow(payouts, before.payout, payout),
  raw(sql`select 1 from orders
    where id in (select order_id from commissions where payout_id = ${payout.id})
    order by id for no key update`),
  raw(sql`with tiers as (
      select distinct c.order_id, c.tier,
             o.status not in ('completed', 'refunded', 'cancelled') and not exists (
               select from commissions p where p.order_id = c.order_id and p.tier = c.tier
                  and p.paid_at is not null and p.payout_id is distinct from c.payout_id
             ) as waits
        from commissions c join orders o on o.id = c.order_id where c.payout_id = ${payout.id}
    )
    update commissions c set paid_at = null, payout_id = null, updated_at = ${payout.updated_at},
           status = case when t.waits then 'pending' else 'added' end,
           hold_until = case when t.waits then null else c.hold_until end,
           version = c.version + 1
      from tiers t
     where c.order_id = t.order_id and c.tier = t.tier
       and (c.payout_id = ${payout.id} or (t.waits and c.status = 'added' and c.paid_at is null))`),
];
