import { type SQL, sql } from 'drizzle-orm';
import { raw } from '../../db/statements.ts';
import type { Measure, RankingQuery } from './schemas.ts';

/** What a measure adds up. */
const amounts: Record<Measure, SQL> = {
  order: sql`s.orders`,
  total: sql`s.grand_total`,
  quantity: sql`s.quantity`,
  revenue: sql`s.grand_total - s.refunded_total`,
};

/** The rolled-up rows that cover a ranking: of all time, of whole months, else of its days. */
function covering({ date_start, date_end, product_id }: RankingQuery): SQL {
  const all = sql`s.product_id = ${product_id ?? 0}`;
  if (date_start === undefined && date_end === undefined) {
    return sql`s.period = 'all' and s.key = 0 and ${all}`;
  }
  if (isMonthStart(date_start) && isMonthEnd(date_end)) {
    return sql`s.period = 'month' and ${all}
      and s.key between ${date_start ? monthOf(date_start) : 0} and ${date_end ? monthOf(date_end) : 1_000_000}`;
  }
  return sql`s.period = 'day'
    and s.key between ${dayOf(date_start ?? '2000-01-01')} and ${dayOf(date_end ?? '9999-12-31')}
    ${product_id === undefined ? sql`` : sql`and ${all}`}`;
}

const isMonthStart = (date: string | undefined) => date === undefined || date.endsWith('-01');

const isMonthEnd = (date: string | undefined) =>
  date === undefined || new Date(Date.parse(date) + 86_400_000).getUTCDate() === 1;

const dayOf = (date: string) => (Date.parse(date) - Date.parse('2000-01-01')) / 86_400_000;

const monthOf = (date: string) =>
  12 * (Number(date.slice(0, 4)) - 2000) + Number(date.slice(5, 7)) - 1;

/**
 * Everybody who sold something, as `ranked (affiliate_id, raw_total, rank)`. Who was anonymised is few
 * among them: looking these up is less than looking everybody up.
 */
const ranked = (query: RankingQuery) => sql`with sold as (
    select s.affiliate_id, sum(${amounts[query.calculate ?? 'order']}) as raw_total
      from affiliate_sales s where ${covering(query)} group by s.affiliate_id
  ), ranked as (
    select affiliate_id, raw_total, rank() over (order by raw_total desc) as rank
      from sold
     where raw_total > 0
       and affiliate_id not in (select id from users where status = 'anonymised')
  )`;

/** A place in a ranking, as the database answers it. */
export interface RankedRow extends Record<string, unknown> {
  affiliate_id: string;
  display_name: string;
  raw_total: string;
  rank: string;
}

/** The first places of a ranking. */
export const findLeaders = (query: RankingQuery, limit: number) =>
  raw<RankedRow>(sql`${ranked(query)}, leaders as (
      select * from ranked order by rank, affiliate_id limit ${limit}
    )
    select l.*, u.display_name from leaders l join users u on u.id = l.affiliate_id
     order by l.rank, l.affiliate_id`);

/** The rank of an affiliate, of all time by orders; no row, and no work, for who sold nothing. */
export const findOwnRank = (affiliate_id: number) =>
  raw<{ rank: string }>(sql`${ranked({})}
    select rank from ranked where affiliate_id = ${affiliate_id}
       and exists (select from affiliate_sales s
         where ${covering({})} and s.affiliate_id = ${affiliate_id})`);

/** Where an affiliate stands; what is null isn't there. */
export interface Standing extends Record<string, unknown> {
  rank: string | null;
  raw_total: string | null;
  of: string;
  next_rank: string | null;
  next_total: string | null;
}

export const findStanding = (affiliate_id: number, query: RankingQuery) =>
  raw<Standing>(sql`${ranked(query)}, own as (
      select rank, raw_total from ranked where affiliate_id = ${affiliate_id}
    )
    select own.rank, own.raw_total, (select count(*) from ranked) as of,
           better.rank as next_rank, better.raw_total as next_total
      from (values (true)) one left join own on true
      left join lateral (
        select r.rank, r.raw_total from ranked r
         where r.raw_total > coalesce(own.raw_total, 0) order by r.raw_total limit 1
      ) better on true`);
