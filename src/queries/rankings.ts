import { type SQL, sql } from 'drizzle-orm';
import type { salePeriods } from '../schema/affiliates.ts';
import { dayNumber } from './settings.ts';
import { raw, type Argument } from '../kernel/database/statements.ts';
import type { Measure, RankingQuery } from '../domain/affiliate/schemas.ts';
import type { RankedRow, Standing } from '../domain/affiliate/rankings.ts';

type SalePeriod = (typeof salePeriods)[number];

/** Orders by link per visit, in hundredths of a per cent; null without visits. */
const conversion = sql`round(10000 * sum(s.link_orders) / nullif(sum(s.clicks), 0))`;

/** SQL of each measure. */
const amounts: Record<Measure, SQL> = {
  order: sql`sum(s.orders)`,
  total: sql`sum(s.grand_total)`,
  quantity: sql`sum(s.quantity)`,
  revenue: sql`sum(s.grand_total - s.refunded_total)`,
  clicks: sql`sum(s.clicks)`,
  conversion,
};

/** The rows of a ranking: the all-time row, or whole months and the days before and after them. */
function covering({ date_start, date_end, product_id }: RankingQuery): SQL {
  const of = (period: SalePeriod, keys: SQL) =>
    sql`s.period = ${period} and s.product_id = ${product_id ?? 0} and s.key ${keys}`;
  if (date_start === undefined && date_end === undefined) return of('all', sql`= 0`);
  const within = (period: SalePeriod, from: number, to: number) =>
    of(period, sql`between ${from} and ${to - 1}`);
  const start = dayOf(date_start ?? '2000-01-01');
  const end = dayOf(date_end ?? '9999-12-31') + 1;
  const months = { start: monthOf(start - 1) + 1, end: monthOf(end) };
  if (months.start >= months.end) return within('day', start, end);
  const stretches = [within('month', months.start, months.end)];
  const before = firstDayOf(months.start);
  if (start < before) stretches.push(within('day', start, before));
  const after = firstDayOf(months.end);
  if (after < end) stretches.push(within('day', after, end));
  return sql`(${sql.join(stretches, sql` or `)})`;
}

/** Days are counted from 2000-01-01, months from 2000-01. */
const epoch = Date.UTC(2000, 0);

const dayLength = 86_400_000;

const dayOf = (date: string) => (Date.parse(date) - epoch) / dayLength;

const firstDayOf = (month: number) => (Date.UTC(2000, month) - epoch) / dayLength;

function monthOf(day: number): number {
  const date = new Date(epoch + day * dayLength);
  return 12 * (date.getUTCFullYear() - 2000) + date.getUTCMonth();
}

/**
 * Everybody who sold something, as `sold (affiliate_id, raw_total)`, without ranks. A rank is the number of people who
 * sold more, and only shown people need one.
 */
const sold = (query: RankingQuery): SQL => soldIn(covering(query), query.calculate ?? 'order');

function soldIn(rows: SQL, measure: Measure): SQL {
  const total = amounts[measure];
  // Few users are anonymised, so finding these takes less work than finding all others.
  return sql`with sold as materialized (
    select s.affiliate_id, ${total} as raw_total, sum(s.clicks) as clicks, ${conversion} as conversion
      from affiliate_sales s
     where ${rows}
       and s.affiliate_id not in (select id from users where status = 'anonymised')
     group by s.affiliate_id having ${total} > 0
  )`;
}

/** The first places of a ranking. Nobody else is above them, so their ranks are right. */
export const findLeaders = (query: RankingQuery, limit: number) => leadersOf(sold(query), limit);

/** Ranks by revenue in the days up to today. */
export const findLeadersOfDays = (days: number, now: Date, limit: number) =>
  leadersOf(
    soldIn(
      sql`s.period = 'day' and s.product_id = 0 and s.key between ${dayNumber(now)} - ${days - 1}::int
        and ${dayNumber(now)}`,
      'revenue',
    ),
    limit,
  );

const leadersOf = (ranked: SQL, limit: number) =>
  raw<RankedRow>(sql`${ranked}, leaders as (
      select * from sold order by raw_total desc, affiliate_id limit ${limit}
    )
    select l.*, rank() over (order by l.raw_total desc) as rank, u.display_name
      from leaders l join users u on u.id = l.affiliate_id
     order by rank, l.affiliate_id`);

/** The all-time rank of an affiliate by orders. No row for an affiliate without sales, for whom nothing is ranked. */
export const findOwnRank = (affiliate_id: Argument<number>) =>
  raw<{ rank: string }>(sql`${sold({})}
    select (select count(*) + 1 from sold better where better.raw_total > own.raw_total) as rank
      from sold own where own.affiliate_id = ${affiliate_id}
       and exists (select from affiliate_sales s
         where ${covering({})} and s.affiliate_id = ${affiliate_id} and s.orders <> 0)`);

export const findStanding = (affiliate_id: number, query: RankingQuery) =>
  raw<Standing>(sql`${sold(query)}, place as (
      select own.raw_total, count(s.affiliate_id) as sellers,
             count(*) filter (where s.raw_total > own.raw_total) as above,
             min(s.raw_total) filter (where s.raw_total > coalesce(own.raw_total, 0)) as next_total
        from (values (true)) one
        left join (select raw_total from sold where affiliate_id = ${affiliate_id}) own on true
        left join sold s on true
       group by own.raw_total
    )
    select case when raw_total is not null then above + 1 end as rank, raw_total, sellers as of,
           case when next_total is not null then
             (select count(*) + 1 from sold s where s.raw_total > next_total) end as next_rank,
           next_total
      from place`);
