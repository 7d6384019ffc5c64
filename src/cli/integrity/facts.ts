/*
 * The rows that triggers keep, computed from the records themselves. `npm run integrity` compares
 * the stored rows with these, and rows are filled with these if records were written without
 * triggers.
 */

export const orderRollups = `
  select d.dimension, d.key, o.status, o.id % 8 as slot, count(*) as orders,
         sum(o.quantity) as quantity, sum(o.grand_total) as grand_total,
         sum(o.refunded_total) as refunded_total
    from orders o cross join settings s
    cross join lateral (values
      ('store', 0::bigint),
      ('day', (o.created_at at time zone s.timezone)::date - date '2000-01-01'),
      ('product', o.product_id),
      ('affiliate', o.affiliate_id)
    ) d (dimension, key)
   where o.deleted_at is null and d.key is not null
   group by 1, 2, 3, 4`;

export const productDays = `
  select (o.created_at at time zone s.timezone)::date - date '2000-01-01' as day, o.product_id,
         o.id % 8 as slot, count(*) as orders, sum(o.quantity) as quantity,
         sum(o.grand_total - o.refunded_total) as revenue
    from orders o cross join settings s
   where o.deleted_at is null and svc_is_paid(o.status)
   group by 1, 2, 3`;

/** The rows of `affiliate_figures`, without the visits. */
export const orderFigures = `
  select o.affiliate_id, (o.created_at at time zone s.timezone)::date - date '2000-01-01' as day,
         coalesce(o.attribution ->> 'sub', '') as sub, o.product_id,
         coalesce(o.attribution ->> 'target', '') as target, o.id % 8 as slot, 0::bigint as clicks,
         count(*) as orders, count(*) filter (where p.paid) as paid,
         coalesce(sum(o.grand_total - o.refunded_total) filter (where p.paid), 0) as revenue,
         coalesce(sum(c.commission) filter (where p.paid), 0) as commission
    from orders o cross join settings s
    cross join lateral (select svc_is_paid(o.status)) p (paid)
    left join (
      select order_id, affiliate_id, sum(commission) as commission from commissions
       where status <> 'cancelled' and deleted_at is null group by 1, 2
    ) c on c.order_id = o.id and c.affiliate_id = o.affiliate_id
   where o.affiliate_id is not null and o.deleted_at is null and o.attribution ? 'target'
   group by 1, 2, 3, 4, 5, 6`;

/** The rows of `affiliate_figures`, if no visit was removed yet. */
export const affiliateFigures = `
  select affiliate_id, day, sub, product_id, target, slot, sum(clicks), sum(orders), sum(paid),
         sum(revenue), sum(commission)
    from (
      ${orderFigures}
      union all
      select affiliate_id, counted_on, sub, product_id, target, id % 8, count(*), 0, 0, 0, 0
        from affiliate_clicks where counted_on is not null group by 1, 2, 3, 4, 5, 6
    ) f
   group by 1, 2, 3, 4, 5, 6`;

/**
 * The rows of `affiliate_sales`. Visits come from `affiliate_figures`, which still counts removed
 * ones.
 */
export const affiliateSales = `
  select p.period, p.key, q.product_id, o.affiliate_id, o.slot, sum(o.orders) as orders,
         sum(o.quantity) as quantity, sum(o.grand_total) as grand_total,
         sum(o.refunded_total) as refunded_total, sum(o.link_orders) as link_orders,
         sum(o.clicks) as clicks
    from (
      select o.affiliate_id, o.product_id, (o.created_at at time zone s.timezone)::date as date,
             o.id % 2 as slot, 1 as orders, o.quantity, o.grand_total, o.refunded_total,
             coalesce(o.attribution ->> 'source' = 'link' and o.attribution ? 'target', false)::int
               as link_orders,
             0 as clicks
        from orders o cross join settings s
       where o.affiliate_id is not null and o.deleted_at is null and svc_is_paid(o.status)
      union all
      select affiliate_id, product_id, date '2000-01-01' + day, slot, 0, 0, 0, 0, 0, clicks
        from affiliate_figures where clicks > 0
    ) o
    cross join lateral (select (12 * (extract(year from o.date) - 2000)
      + extract(month from o.date) - 1)::bigint) month (number)
    cross join lateral (values
      ('all', 0::bigint), ('month', month.number), ('day', o.date - date '2000-01-01')
    ) p (period, key)
    cross join lateral (values (0), (o.product_id)) q (product_id)
   group by 1, 2, 3, 4, 5`;

export const affiliateDays = `
  select o.affiliate_id, (o.created_at at time zone s.timezone)::date - date '2000-01-01' as day,
         o.id % 8 as slot, count(*) as orders, count(*) filter (where p.paid) as paid_orders,
         coalesce(sum(o.grand_total - o.refunded_total) filter (where p.paid), 0) as revenue
    from orders o cross join settings s
    cross join lateral (select svc_is_paid(o.status)) p (paid)
   where o.affiliate_id is not null and o.deleted_at is null
   group by 1, 2, 3`;

export const saleCommissions = `
  select e.affiliate_id, p.period, p.key, o.id % 8 as slot, sum(c.commission) as amount
    from commissions c join orders o on o.id = c.order_id cross join settings s
    cross join lateral (values (0::bigint), (c.affiliate_id)) e (affiliate_id)
    cross join lateral (values
      ('all', 0::bigint), ('day', (o.created_at at time zone s.timezone)::date - date '2000-01-01')
    ) p (period, key)
   where c.deleted_at is null and c.status <> 'cancelled' and o.deleted_at is null
     and svc_is_paid(o.status)
   group by 1, 2, 3, 4 having sum(c.commission) <> 0`;

export const accessEnds = `
  select coalesce((end_active at time zone 'UTC')::date - date '2000-01-01', 2147483647) as day,
         id % 8 as slot, count(*) as grants
    from access_grants where status = 'active' and deleted_at is null group by 1, 2`;
