import type { RiskStatus } from '../../schema/lists.ts';
import { type Check, difference, statuses } from './check.ts';
import { affiliateDays, affiliateSales, orderFigures, saleCommissions } from './facts.ts';

/** SQL: true if a risk with this status is about the commission `c`. */
const withRisk = (status: RiskStatus) => `exists (
  select from risk_orders ro join risks r on r.id = ro.risk_id
   where ro.order_id = c.order_id and ro.tier in (1, c.tier) and r.status = '${status}')`;

/**
 * The law of the ledger: the commissions of a tier that aren't cancelled sum to the tier's earnings after refunds, and
 * all tiers to at most the base. It shares no code with the ledger.
 */
const ledgerLaw = `
  with sales as (
    select c.order_id, c.tier, c.commission, c.base_amount, c.rate,
           c.rate_source = 'manual' as by_hand, c.rate_type = 'percentage' as is_percentage,
           c.status <> 'cancelled' and o.status not in (${statuses.closed})
             and not ${withRisk('confirmed')} as earns,
           o.quantity, o.refunded_total::numeric, o.grand_total,
           greatest(0, o.subtotal + o.variant_total - o.discount_total + o.adjustment_total)::numeric
             as goods,
           case when (o.agreed #>> '{tax,enabled}')::boolean
                 and (o.agreed #>> '{tax,inclusive}')::boolean
             then (o.agreed #>> '{tax,rate}')::numeric else 0 end as included_tax
      from commissions c join orders o on o.id = c.order_id
     where c.kind = 'sale' and c.cancellation is distinct from 'reassigned'
  ), bases as (
    select *, goods - round(goods * included_tax / (100 + included_tax)) as base from sales
  ), shares as (
    select *, base - coalesce(round(base * refunded_total / nullif(grand_total, 0)), 0) as kept,
           case when by_hand then coalesce(round(commission * base / nullif(base_amount, 0)), 0)
                when is_percentage then round(base * rate / 100)
                else rate * quantity end as wanted
      from bases
  ), fulls as (
    select *, least(base, sum(wanted) over tiers)
              - least(base, sum(wanted) over tiers - wanted) as full_amount
      from shares window tiers as (partition by order_id order by tier)
  ), parts as (
    select *, case when is_percentage and not by_hand and full_amount = wanted
                     then round(kept * rate / 100)
                   else coalesce(round(full_amount * kept / nullif(base, 0)), 0) end as part
      from fulls
  ), targets as (
    select order_id, tier, case when earns
             then least(kept, sum(part) over tiers) - least(kept, sum(part) over tiers - part)
             else 0 end as amount
      from parts window tiers as (partition by order_id order by tier)
  ), sums as (
    select order_id, tier, sum(commission) as amount from commissions
     where status <> 'cancelled' and kind <> 'manual' group by 1, 2
  )
  select coalesce(t.order_id, s.order_id) from targets t full join sums s using (order_id, tier)
   where coalesce(t.amount, 0) <> coalesce(s.amount, 0)`;

const rollupFacts = `
  select d.dimension, d.key, case when c.paid_at is not null then 'paid'
           when c.status = 'added' then 'unpaid' else c.status end as status,
         count(*), count(*) filter (where c.kind = 'sale'), sum(c.commission)
    from commissions c cross join settings s
    cross join lateral (values
      ('store', 0::bigint),
      ('day', (c.created_at at time zone s.timezone)::date - date '2000-01-01'),
      ('product', c.product_id),
      ('affiliate', c.affiliate_id),
      ('hold', case when c.status = 'added' and c.paid_at is null
                 then case when c.held then date '9999-12-31'
                        else (c.hold_until at time zone 'UTC')::date end - date '2000-01-01' end)
    ) d (dimension, key)
   where c.deleted_at is null and d.key is not null
   group by 1, 2, 3`;

const rollups = `
  select dimension, key, status, sum(commissions), sum(sales), sum(amount)
    from commission_rollups group by 1, 2, 3
  having (sum(commissions), sum(sales), sum(amount)) <> (0, 0, 0)`;

const earnedByDay = `
  select c.affiliate_id, (c.created_at at time zone s.timezone)::date - date '2000-01-01',
         c.product_id, c.tier, case when c.paid_at is not null then 'paid'
           when c.status = 'added' then 'unpaid' else c.status end,
         count(*) filter (where c.kind = 'sale'), sum(c.commission)
    from commissions c cross join settings s
   where c.deleted_at is null
   group by 1, 2, 3, 4, 5
  having (count(*) filter (where c.kind = 'sale'), sum(c.commission)) <> (0, 0)`;

const keptByDay = `
  select affiliate_id, day, product_id, tier, status, sum(sales), sum(amount)
    from commission_days group by 1, 2, 3, 4, 5
  having (sum(sales), sum(amount)) <> (0, 0)`;

const firstDay = `
  select (min(c.at) at time zone s.timezone)::date - date '2000-01-01'
    from affiliate_clicks c cross join settings s group by s.timezone`;

const firstImport = '(select min(started_at) from imports)';

export const commissionChecks: readonly Check[] = [
  { name: 'commissions against their orders', differences: ledgerLaw },
  {
    name: 'commissions that an open order cancelled',
    differences: `
      select c.id from commissions c join orders o on o.id = c.order_id
       where c.cancellation = 'order'
         and (o.status not in (${statuses.closed}) or c.deleted_at is not null)`,
  },
  {
    // Versions up to 0.1.0 left them as they were imported.
    name: 'manual commissions whose order was closed or completed without them',
    differences: `
      select c.id from commissions c join orders o on o.id = c.order_id
       where c.kind = 'manual' and c.paid_at is null and o.version > 1
         and (c.status <> 'cancelled' and o.status in (${statuses.closed})
                and coalesce(o.refunded_at, o.cancelled_at) > ${firstImport}
           or c.status = 'pending' and c.version = 1 and o.status = 'completed' and o.completed_at > ${firstImport})`,
  },
  {
    name: 'commissions that open risks hold',
    differences: `
      select c.id from commissions c
       where c.held <> (c.cancellation is distinct from 'reassigned' and ${withRisk('open')})`,
  },
  { name: 'commission rollups', differences: difference(`(${rollupFacts})`, `(${rollups})`) },
  { name: 'commissions by day', differences: difference(`(${earnedByDay})`, `(${keptByDay})`) },
  {
    name: 'orders of affiliates by day',
    differences: difference(
      `(${affiliateDays})`,
      `select affiliate_id, day, slot, orders, paid_orders, revenue from affiliate_days
        where (orders, paid_orders, revenue) <> (0, 0, 0)`,
    ),
  },
  {
    name: 'commissions of sales',
    differences: difference(
      `(${saleCommissions})`,
      'select affiliate_id, period, key, slot, amount from sale_commissions where amount <> 0',
    ),
  },
  {
    name: 'sales of affiliates',
    differences: difference(
      `(${affiliateSales})`,
      `select period, key, product_id, affiliate_id, slot, orders, quantity, grand_total,
              refunded_total, link_orders, clicks
         from affiliate_sales
        where (orders, quantity, grand_total, refunded_total, link_orders, clicks)
           <> (0, 0, 0, 0, 0, 0)`,
    ),
  },
  {
    name: 'figures of affiliates against their orders and commissions',
    differences: difference(
      `(${orderFigures})`,
      `select affiliate_id, day, sub, product_id, target, slot, 0, orders, paid, revenue, commission
         from affiliate_figures where (orders, paid, revenue, commission) <> (0, 0, 0, 0)`,
    ),
  },
  {
    // Old visits are removed from the oldest on, so only the days after the oldest visit are
    // complete.
    name: 'figures of affiliates against the visits that are kept',
    differences: difference(
      `select affiliate_id, counted_on, sub, product_id, target, count(*) from affiliate_clicks
        where counted_on > (${firstDay}) group by 1, 2, 3, 4, 5`,
      `select affiliate_id, day, sub, product_id, target, sum(clicks) from affiliate_figures
        where day > (${firstDay}) group by 1, 2, 3, 4, 5 having sum(clicks) <> 0`,
    ),
  },
  {
    name: 'payouts against their commissions',
    differences: `
      select coalesce(p.id, c.payout_id) as id from payouts p full join (
        select payout_id, sum(commission) as amount, count(*) as commissions from commissions
         where payout_id is not null group by 1
      ) c on c.payout_id = p.id
       where case p.status when 'cancelled' then c.payout_id is not null
               else (p.amount, p.commissions) is distinct from (c.amount, c.commissions) end`,
  },
  {
    name: 'commissions in drafts that could not be paid',
    differences: `
      select c.id from commissions c left join payout_lines l on l.id = c.payout_line_id
       where c.payout_line_id is not null
         and (c.status = 'added' and c.paid_at is null and not c.held and l.status = 'draft'
              and l.affiliate_id = c.affiliate_id) is not true`,
  },
  {
    // A commission whose hold ends while a draft is open waits for the next one.
    name: 'commissions whose adjustments are payable, but not in the same draft',
    differences: `
      select min(id) as id from commissions
       where status = 'added' and paid_at is null and not held
         and (payout_line_id is not null or coalesce(hold_until <= updated_at, true))
         and order_id in (select order_id from commissions where payout_line_id is not null)
       group by coalesce(parent_id, id)
      having count(payout_line_id) not in (0, count(*)) or count(distinct payout_line_id) > 1`,
  },
  {
    name: 'lines of payout runs against their payouts',
    differences: `
      select l.id from payout_lines l join payout_runs r on r.id = l.run_id
        left join payouts p on p.id = l.id
       where case l.status
         when 'draft' then r.status <> 'draft' or p.id is not null
         when 'left-out' then r.status <> 'confirmed' or p.id is not null
         when 'returned' then p.status is distinct from 'cancelled'
         else p.status is distinct from 'paid' end
          or (p.id is not null and (p.amount, p.commissions, p.affiliate_id)
                is distinct from (l.amount, l.commissions, l.affiliate_id))`,
  },
  {
    name: 'users in their own upline',
    differences: `
      with recursive uplines (id, upline) as (
        select id, affiliate_id from users where affiliate_id is not null
        union
        select a.id, u.affiliate_id from uplines a join users u on u.id = a.upline
         where u.affiliate_id is not null
      ) select id from uplines where id = upline`,
  },
];
