import { type SQL, sql } from 'drizzle-orm';
import { raw, type Argument, instantOf } from '../kernel/database/statements.ts';
import { paidStatuses } from '../schema/lists.ts';

export interface PeriodRow extends Record<string, unknown> {
  /** `day_before`: the day before yesterday · `last_month`: the days of last month up to today's day of the month. */
  period: 'today' | 'yesterday' | 'day_before' | 'this_month' | 'last_month' | 'all';
  lead: string;
  sales: string;
  revenue: string;
  commission: string;
}

const isPaid = sql`r.status = any (${sql.param([...paidStatuses])}::text[])`;

/** The figures of rolled-up orders, with 0 as the commission. */
const orderFigures = sql`r.orders, case when ${isPaid} then r.orders else 0 end,
  case when ${isPaid} then r.grand_total - r.refunded_total else 0 end, 0`;

/** Matches the days of a summary. Both ends are given, so that an index finds them. */
const recent = (day: SQL) =>
  sql`${day} between (select c.first from calendar c) and (select c.today from calendar c)`;

/** Rows to sum up: orders by day, and the all-time rollup. */
interface Source {
  readonly days: SQL;
  readonly dimension: 'store' | 'affiliate';
  /** An affiliate's id; 0 for the whole store. */
  readonly key: Argument<number>;
  /** True to include earlier periods for comparison. */
  readonly compared: boolean;
}

const firstDay = (compared: boolean) =>
  compared ? sql`least(d.last_month, d.today - 2)` : sql`least(d.month, d.today - 1)`;

const periodsBefore = sql`,
  ('day_before', c.today - 2, c.today - 2),
  ('last_month', c.last_month, least(c.last_month + c.today - c.month, c.month - 1))`;

/** Sums up today, yesterday, this month and all time, in the store's time zone. Periods without orders are left out. */
const findPeriods = ({ days, dimension, key, compared }: Source, now: Argument<Date>) => {
  const commissions = sql`0, 0, 0, c.amount from sale_commissions c where c.affiliate_id = ${key}`;
  return raw<PeriodRow>(sql`with calendar as (
      select d.*, ${firstDay(compared)} as first
        from settings s cross join lateral (
          select (${instantOf(now)}::timestamptz at time zone s.timezone)::date
        ) t (date) cross join lateral (
          select t.date - date '2000-01-01' as today,
                 date_trunc('month', t.date)::date - date '2000-01-01' as month,
                 (date_trunc('month', t.date) - interval '1 month')::date - date '2000-01-01'
                   as last_month
        ) d
    ), facts (day, lead, sales, revenue, commission) as (
      ${days}
      union all
      select c.key, ${commissions} and c.period = 'day' and ${recent(sql`c.key`)}
    ), periods as (
      select p.* from calendar c cross join lateral (values
        ('today', c.today, c.today),
        ('yesterday', c.today - 1, c.today - 1),
        ('this_month', c.month, c.today)${compared ? periodsBefore : sql``}
      ) p (period, first, last)
    ), found as (
      select p.period, f.* from periods p join facts f on f.day between p.first and p.last
      union all
      select 'all', null, ${orderFigures} from order_rollups r
       where r.dimension = ${dimension} and r.key = ${key}
      union all
      select 'all', null, ${commissions} and c.period = 'all'
    )
    select period, sum(lead) as lead, sum(sales) as sales, sum(revenue) as revenue,
           sum(commission) as commission
      from found group by period`);
};

/** The periods of the store, with earlier ones for comparison. */
export const findStorePeriods = (now: Date) =>
  findPeriods(
    {
      days: sql`
        select r.key, ${orderFigures} from order_rollups r
         where r.dimension = 'day' and ${recent(sql`r.key`)}`,
      dimension: 'store',
      key: 0,
      compared: true,
    },
    now,
  );

/** The periods of an affiliate: orders that count for the affiliate, and earnings on any tier. */
export const findOwnPeriods = (affiliate_id: Argument<number>, now: Argument<Date>) =>
  findPeriods(
    {
      days: sql`
        select r.day, r.orders, r.paid_orders, r.revenue, 0 from affiliate_days r
         where r.affiliate_id = ${affiliate_id} and ${recent(sql`r.day`)}`,
      dimension: 'affiliate',
      key: affiliate_id,
      compared: false,
    },
    now,
  );
