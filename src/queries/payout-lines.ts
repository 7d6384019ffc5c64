import { type SQL, and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { allOf, equals, paged, type Window } from '../kernel/database/filters.ts';
import { type Write, build, guard, raw } from '../kernel/database/statements.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { type LineRow, newAccountDays } from '../domain/payout/run-rules.ts';
import { type PayoutLineQuery, shownLines } from '../domain/payout/run-schemas.ts';
import { type Instant, addSeconds } from '../lib/instant.ts';
import { commissions } from '../schema/commissions.ts';
import { payoutObstacles } from '../schema/lists.ts';
import { type PayeeAccount, payoutLines, payoutRuns } from '../schema/payout-runs.ts';
import { users } from '../schema/users.ts';

/** The sum of commissions `c` that correct earlier payments. */
export const carriedOver = sql`sum(c.commission) filter (where c.parent_id is not null
  and (select p.paid_at from commissions p where p.id = c.parent_id) is not null)`;

/** The characters that don't show, as `isSeen` has them, in a regular expression of PostgreSQL. */
const unseen = [
  String.raw`\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f`,
  String.raw`\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8`,
  String.raw`\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff`,
].join('');

const hasAccount = sql`${users.bank_info} ~ ${sql.raw(`'[^${unseen}]'`)}`;

/**
 * The issues of a draft line, from its user (`users`) and its sum.
 * @param minimum of the line's run
 */
export const issuesOf = (amount: SQL, minimum: SQL, now: Date) => sql`array_remove(array[
  case when ${users.status} = 'anonymised' then 'erased' end,
  case when ${users.status} = 'blocked' then 'blocked' end,
  case when ${users.status} <> 'anonymised' and not ${hasAccount} then 'no-account' end,
  case when ${amount} <= 0 then 'nothing-due' end,
  case when ${amount} > 0 and ${amount} < ${minimum} then 'below-minimum' end,
  case when ${users.bank_changed_at} > ${addSeconds(now.toISOString(), -newAccountDays * 86_400)}
    then 'account-changed' end,
  case when ${users.bank_account} is null and ${hasAccount} then 'account-as-text' end,
  case when exists (select from risks k where k.affiliate_id = ${users.id} and k.status = 'open')
    then 'open-risk' end
], null)`;

export const isUnhindered = (issues: SQL) =>
  sql`not (${issues} && ${sql.param([...payoutObstacles])}::text[])`;

export const presentAccount = sql`case when ${hasAccount}
  then jsonb_build_object('text', ${users.bank_info}, 'bank', ${users.bank_account}) end`;

/** The run of a line, if a query is limited to one. */
const run = alias(payoutRuns, 'line_run');

export function selectLines(now: Date) {
  const isDraft = sql`${payoutLines.status} = 'draft'`;
  const issues = issuesOf(sql`s.amount`, sql`${run.minimum}`, now);
  return build
    .select({
      id: sql<number>`${payoutLines.id}`.mapWith(Number).as('id'),
      run_id: sql<number>`${payoutLines.run_id}`.mapWith(Number).as('run_id'),
      affiliate_id: sql<number>`${payoutLines.affiliate_id}`.mapWith(Number).as('affiliate_id'),
      status: payoutLines.status,
      moves: payoutLines.moves,
      reference: payoutLines.reference,
      reason: payoutLines.reason,
      result_at: payoutLines.result_at,
      tell_at: payoutLines.tell_at,
      display_name: users.display_name,
      amount: sql`coalesce(${payoutLines.amount}, s.amount)`.mapWith(Number).as('amount'),
      commissions: sql`coalesce(${payoutLines.commissions}, s.commissions)`
        .mapWith(Number)
        .as('commissions'),
      carried_over: sql`coalesce(${payoutLines.carried_over}, s.carried_over)`
        .mapWith(Number)
        .as('carried_over'),
      issues: sql<LineRow['issues']>`to_jsonb(case when ${isDraft}
        then ${issues} else ${payoutLines.issues} end)`.as('issues'),
      payable: sql<boolean>`case when ${isDraft}
        then ${isUnhindered(issues)} else ${payoutLines.status} <> 'left-out' end`.as('payable'),
      account: sql<PayeeAccount | null>`case when ${isDraft}
        then ${presentAccount} else ${payoutLines.account} end`.as('account'),
    })
    .from(payoutLines)
    .innerJoin(run, eq(run.id, payoutLines.run_id))
    .innerJoin(users, eq(users.id, payoutLines.affiliate_id))
    .crossJoinLateral(
      sql`(select count(*) as commissions, coalesce(sum(c.commission), 0) as amount,
              coalesce(${carriedOver}, 0) as carried_over
         from commissions c where c.payout_line_id = ${payoutLines.id}) s`,
    );
}

export const findLines = (run_id: number, now: Date, after = 0, limit = shownLines) =>
  selectLines(now)
    .where(and(eq(payoutLines.run_id, run_id), gt(payoutLines.id, after)))
    .orderBy(asc(payoutLines.id))
    .limit(limit);

/** Finds the drafts that hold commissions of an affiliate, with the amounts of their lines. */
export const findDraftsHolding = (affiliate_id: number) =>
  build
    .select({
      run_id: payoutLines.run_id,
      amount: sql<string>`sum(${commissions.commission})`.mapWith(Number),
    })
    .from(payoutLines)
    .innerJoin(commissions, eq(commissions.payout_line_id, payoutLines.id))
    .where(and(eq(payoutLines.affiliate_id, affiliate_id), eq(payoutLines.status, 'draft')))
    .groupBy(payoutLines.id)
    .orderBy(asc(payoutLines.id));

/** Selects the affiliates with a negative line in a draft. */
export const affiliatesInDebt = sql`select l.affiliate_id
  from payout_runs r join payout_lines l on l.run_id = r.id join commissions c on c.payout_line_id = l.id
 where r.status = 'draft' group by l.id having sum(c.commission) < 0`;

export const findLinesOf = (run_id: number, ids: readonly number[], now: Date) =>
  selectLines(now).where(and(eq(payoutLines.run_id, run_id), inArray(payoutLines.id, [...ids])));

const filters = (
  run_id: number,
  { status }: PayoutLineQuery,
): ConditionsFor<PayoutLineQuery, 'run_id'> => equals(payoutLines, { run_id, status });

export const listLines = (run_id: number, query: PayoutLineQuery, window: Window, now: Date) =>
  paged(selectLines(now).$dynamic(), payoutLines.id, filters(run_id, query), window);

export const countLines = (run_id: number, query: PayoutLineQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(payoutLines)
    .where(allOf(filters(run_id, query)));

/** Writes the results of lines, if their statuses are unchanged. */
export const saveResults = (lines: readonly { before: LineRow; after: LineRow }[]): Write => {
  const wanted = lines.map(({ before, after }) => ({ ...after, was: before.status }));
  return {
    code: 'rest_conflict',
    statement: raw(sql`with saved as (
        update payout_lines l set status = w.status, account = null, tell_at = null,
               result_at = w.result_at, reference = w.reference, reason = w.reason
          from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (id bigint, was text,
               status text, result_at timestamptz, reference text, reason text)
         where l.id = w.id and l.status = w.was
        returning l.id
      ) select svc_guard((select count(*) from saved) = ${lines.length}, 'rest_conflict')`),
  };
};

/** Marks the line of a cancelled payout as returned. Does nothing for a payout outside runs. */
export const returnLine = (payout_id: number, at: Instant): Write[] => [
  raw(sql`with returned as (
      update payout_lines set status = 'returned', account = null, tell_at = null,
             result_at = ${at}
       where id = ${payout_id} and status in ('confirmed', 'paid') returning run_id
    ) update payout_runs r set version = r.version + 1, updated_at = ${at}
        from returned where r.id = returned.run_id`),
];

/** The time at which the next affiliate is notified of a payout. */
export const nextTelling = sql`(select min(tell_at) from payout_lines where tell_at is not null)`;

/** Lines with an affiliate to be notified. */
export const findTellable = (now: Date, limit: number) =>
  build
    .select({ id: payoutLines.id })
    .from(payoutLines)
    .where(lte(payoutLines.tell_at, now.toISOString()))
    .orderBy(asc(payoutLines.tell_at))
    .limit(limit);

/** Records that a line's affiliate was notified. */
export const tellLine = (id: number) =>
  guard(
    build
      .update(payoutLines)
      .set({ tell_at: null })
      .where(and(eq(payoutLines.id, id), sql`${payoutLines.tell_at} is not null`))
      .returning({ id: payoutLines.id }),
    'rest_conflict',
  );

/**
 * Counts a change of the sums of draft lines, and locks the lines until the commit. If a run was confirmed or discarded
 * meanwhile, everything is decided again.
 */
export const moveLines = (ids: readonly number[]): Write[] =>
  ids.length === 0
    ? []
    : [
        {
          code: 'rest_conflict',
          statement: raw(sql`with moved as (${bumped(sql`id = any (${sql.param(ids)}::bigint[])`)})
            select svc_guard((select count(*) from moved) = ${ids.length}, 'rest_conflict')`),
        },
      ];

/** Counts a change of every draft line that has commissions of these orders. The caller has locked the orders. */
export const moveLinesOf = (orders: SQL) =>
  raw(
    bumped(sql`id in (select payout_line_id from commissions
      where order_id in (${orders}) and payout_line_id is not null)`),
  );

const bumped = (which: SQL) => sql`update payout_lines l set moves = l.moves + 1
  from (select id from payout_lines where status = 'draft' and ${which}
         order by id for no key update) held
 where l.id = held.id returning l.id`;
