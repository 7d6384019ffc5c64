import { type SQL, and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import * as filter from '../kernel/database/filters.ts';
import { type Write, build, lockName, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { type LineRow, type RunRow, type RunTotals, tellAt } from '../domain/payout/run-rules.ts';
import {
  type PayoutRunCreate,
  type PayoutRunQuery,
  shownLines,
} from '../domain/payout/run-schemas.ts';
import { commissions } from '../schema/commissions.ts';
import { payoutLines, payoutRuns, textAccountMethod } from '../schema/payout-runs.ts';
import { users } from '../schema/users.ts';
import { earnedUntil, isFree, isPayable, publishPaid } from './commission-payouts.ts';
import {
  affiliatesInDebt,
  carriedOver,
  isUnhindered,
  issuesOf,
  presentAccount,
  selectLines,
} from './payout-lines.ts';

/** The most commissions in a run. */
const most = 100_000;

const totalsOf = (lines: SQL) => sql<RunTotals>`(
  select jsonb_build_object('lines', count(*), 'payable', count(*) filter (where w.payable),
           'amount', coalesce(sum(w.amount) filter (where w.payable), 0),
           'commissions', coalesce(sum(w.commissions) filter (where w.payable), 0),
           'paid', count(*) filter (where w.status = 'paid'),
           'returned', count(*) filter (where w.status = 'returned'),
           'returned_amount', coalesce(sum(w.amount) filter (where w.status = 'returned'), 0),
           'moves', coalesce(sum(w.moves), 0))
    from (${lines}) w)`;

const select = (now: Date) =>
  build
    .select({
      run: payoutRuns,
      totals: totalsOf(
        selectLines(now)
          .where(eq(payoutLines.run_id, sql`"payout_runs"."id"`))
          .getSQL(),
      ),
    })
    .from(payoutRuns);

export const findRun = (id: number, now: Date) => select(now).where(eq(payoutRuns.id, id));

export const findRunId = (id: number) =>
  build.select({ id: payoutRuns.id }).from(payoutRuns).where(eq(payoutRuns.id, id));

const filters = ({
  status,
  date_start,
  date_end,
}: PayoutRunQuery): ConditionsFor<PayoutRunQuery> => ({
  ...filter.equals(payoutRuns, { status }),
  date_start: filter.since(payoutRuns.created_at, date_start),
  date_end: filter.until(payoutRuns.created_at, date_end),
});

export const listRuns = (query: PayoutRunQuery, window: filter.Window, now: Date) =>
  filter.paged(select(now).$dynamic(), payoutRuns.id, filters(query), window);

export const countRuns = (query: PayoutRunQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(payoutRuns)
    .where(filter.allOf(filters(query)));

const chosen = ({ until, affiliates, exclude = [] }: PayoutRunCreate, now: Date) =>
  and(
    isPayable(now),
    earnedUntil(until),
    sql`${commissions.affiliate_id} not in (${affiliatesInDebt})`,
    affiliates && inArray(commissions.affiliate_id, affiliates),
    exclude.length > 0 ? notInArray(commissions.affiliate_id, exclude) : undefined,
  );

/** `found`: the payable commissions by affiliate; `taken`: those of the first affiliates that fit into a run. */
const taking = (input: PayoutRunCreate, now: Date) => sql`found as materialized (
    select c.affiliate_id, count(*) as commissions, sum(c.commission) as amount,
           coalesce(${carriedOver}, 0) as carried_over
      from (select * from ${commissions} where ${chosen(input, now)}) c
     group by c.affiliate_id
  ), taken as materialized (
    select * from (
      select f.*, sum(f.commissions) over (order by f.affiliate_id) as upto,
             row_number() over (order by f.affiliate_id) as place
        from found f where f.commissions <= ${most}) t
     where upto <= ${most}
  )`;

type Draft = {
  readonly totals: RunTotals & { all: number; taken: number; sum: number };
  readonly lines: Omit<LineRow, 'run_id'>[] | null;
};

/** Computes the draft of a new run: its totals and its first lines, with new ids. */
export const draftRun = (input: PayoutRunCreate, now: Date) => {
  const issues = issuesOf(sql`t.amount`, sql`${input.minimum ?? 0}::bigint`, now);
  return raw<Draft>(sql`with ${taking(input, now)}, w as materialized (
      select t.affiliate_id, t.place, t.amount, t.commissions, t.carried_over, ${users.display_name},
             'draft' as status, 0 as moves, null as reference, null as reason,
             null as result_at, null as tell_at, ${issues} as issues,
             ${isUnhindered(issues)} as payable, ${presentAccount} as account
        from taken t join ${users} on ${users.id} = t.affiliate_id
    )
    select ${totalsOf(sql`select * from w`)} || jsonb_build_object(
             'all', coalesce((select sum(commissions) from found), 0),
             'taken', coalesce((select sum(commissions) from taken), 0),
             'sum', coalesce((select sum(amount) from taken), 0)) as totals,
           (select jsonb_agg(to_jsonb(l) - 'place' order by l.place) from (
             select nextval('payouts_id_seq') as id, f.*
               from (select * from w order by place limit ${shownLines}) f) l) as lines`);
};

/** Writes a draft, if its sum is unchanged. Drafts are written one at a time. */
export const insertRun = (
  run: RunRow['run'],
  input: PayoutRunCreate,
  { totals, lines }: Draft,
  now: Date,
): Write[] => [
  lockName('payout_runs'),
  build.insert(payoutRuns).values(run),
  {
    code: 'rest_conflict',
    statement: raw(sql`with ${taking(input, now)}, lines as (
        insert into payout_lines (id, run_id, affiliate_id, status)
        select coalesce(
                 (${sql.param((lines ?? []).map(({ id }) => id))}::bigint[])[t.place],
                 nextval('payouts_id_seq')), ${run.id}, t.affiliate_id, 'draft'
          from taken t order by t.place
        returning id, affiliate_id
      ), held as materialized (
        select ${commissions.id}, l.id as line_id from ${commissions}
          join lines l on l.affiliate_id = ${commissions.affiliate_id}
         where ${chosen(input, now)} order by ${commissions.id} for no key update of commissions
      ), kept as (
        update commissions c set payout_line_id = h.line_id, updated_at = ${now.toISOString()},
               version = c.version + 1
          from held h where c.id = h.id
        returning c.commission
      ) select svc_guard((select (count(*), coalesce(sum(commission), 0))
          = (${totals.taken}::bigint, ${totals.sum}::numeric) from kept), 'rest_conflict')`),
  },
  takeLateRows(run.id, now),
];

/**
 * Adds the free rows of sales that a draft took in part, because they changed meanwhile. The draft's rows are locked, so
 * later changes see the draft.
 */
const takeLateRows = (run_id: number, now: Date) =>
  raw(sql`with sales as materialized (
      select distinct coalesce(c.parent_id, c.id) as id, l.id as line_id
        from payout_lines l join commissions c on c.payout_line_id = l.id where l.run_id = ${run_id}
    ), late as materialized (
      select r.id, s.line_id from sales s cross join lateral (
        select id from commissions where id = s.id
        union all select id from commissions where parent_id = s.id) r
    ), taken as (
      update ${commissions} set payout_line_id = late.line_id,
             updated_at = greatest(${commissions.updated_at}, ${now.toISOString()}), version = ${commissions.version} + 1
        from late where ${commissions.id} = late.id and ${isFree(now)}
      returning ${commissions.payout_line_id}
    ) update payout_lines set moves = moves + 1 where id in (select payout_line_id from taken)`);

/** Locks a run, and then its lines. Every change locks lines before commissions. */
const holdRun = (before: RunRow['run'], after: RunRow['run']): Write[] => [
  updateRow(payoutRuns, before, after),
  raw(sql`select from payout_lines where run_id = ${before.id} order by id for update`),
];

/**
 * Confirms a run, if its lines are unchanged: computes them again, and makes a payout of each line without an obstacle.
 */
export const confirmRun = (
  { run: before, totals }: RunRow,
  { run }: RunRow,
  now: Date,
): Write[] => [
  ...holdRun(before, run),
  {
    code: 'rest_conflict',
    statement: raw(sql`with w as materialized (${selectLines(now)
      .where(eq(payoutLines.run_id, run.id))
      .getSQL()}), saved as (
        update payout_lines l set amount = w.amount, commissions = w.commissions,
               carried_over = w.carried_over,
               issues = array(select jsonb_array_elements_text(w.issues)),
               status = case when w.payable then 'confirmed' else 'left-out' end,
               account = case when w.payable then w.account end,
               tell_at = case when w.payable then ${tellAt(now)}::timestamptz end
          from w where l.id = w.id
        returning l.id
      ), paid as (
        insert into payouts (id, affiliate_id, amount, currency, commissions, method, reference,
               date_end, status, created_at, updated_at)
        select w.id, w.affiliate_id, w.amount, ${run.currency}, w.commissions,
               coalesce(w.account #>> '{bank,bank_name}', ${textAccountMethod}),
               ${`payout-run-${run.id}`}, ${run.until}::text, 'paid', ${now.toISOString()},
               ${now.toISOString()}
          from w where w.payable order by w.id
      ) select svc_guard((select (count(*), count(*) filter (where w.payable),
            coalesce(sum(w.amount) filter (where w.payable), 0), coalesce(sum(w.moves), 0))
          = (${totals.lines}::bigint, ${totals.payable}::bigint, ${totals.amount}::numeric,
             ${totals.moves}::bigint) from w), 'rest_conflict')`),
  },
  raw(sql`update commissions c set payout_line_id = null, version = c.version + 1,
           updated_at = ${now.toISOString()},
           paid_at = case when l.status = 'confirmed' then ${now.toISOString()}::timestamptz end,
           payout_id = case when l.status = 'confirmed' then l.id end
      from payout_lines l where l.run_id = ${run.id} and c.payout_line_id = l.id`),
  publishPaid(sql`select id from payout_lines where run_id = ${run.id}`, now),
];

/** Discards a draft and frees its commissions. */
export const discardRun = ({ run: before }: RunRow, { run }: RunRow): Write[] => [
  ...holdRun(before, run),
  raw(sql`update commissions c set payout_line_id = null, version = c.version + 1,
           updated_at = ${run.updated_at}
      from payout_lines l where l.run_id = ${run.id} and c.payout_line_id = l.id`),
  build.delete(payoutLines).where(eq(payoutLines.run_id, run.id)),
];

export const saveRun = ({ run: before }: RunRow, { run }: RunRow) =>
  updateRow(payoutRuns, before, run);
