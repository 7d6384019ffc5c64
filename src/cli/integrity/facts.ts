/*
 * The rows that triggers keep of records, worked out from the records themselves: what `npm run
 * integrity` compares them with, and what fills them where records were written past the triggers.
 */

/** The rows of `order_rollups`. */
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

/** The rows of `product_days`. */
export const productDays = `
  select (o.created_at at time zone s.timezone)::date - date '2000-01-01' as day, o.product_id,
         o.id % 8 as slot, count(*) as orders, sum(o.quantity) as quantity,
         sum(o.grand_total - o.refunded_total) as revenue
    from orders o cross join settings s
   where o.deleted_at is null and svc_is_paid(o.status)
   group by 1, 2, 3`;

/** The rows of `affiliate_sales`. */
export const affiliateSales = `
  select p.period, p.key, q.product_id, o.affiliate_id, o.id % 2 as slot, count(*) as orders,
         sum(o.quantity) as quantity, sum(o.grand_total) as grand_total,
         sum(o.refunded_total) as refunded_total
    from orders o cross join settings s
    cross join lateral (select (o.created_at at time zone s.timezone)::date) day (date)
    cross join lateral (select (12 * (extract(year from day.date) - 2000)
      + extract(month from day.date) - 1)::bigint) month (number)
    cross join lateral (values
      ('all', 0::bigint), ('month', month.number), ('day', day.date - date '2000-01-01')
    ) p (period, key)
    cross join lateral (values (0), (o.product_id)) q (product_id)
   where o.affiliate_id is not null and o.deleted_at is null
     and svc_is_paid(o.status)
   group by 1, 2, 3, 4, 5`;

/** The rows of `affiliate_days`. */
export const affiliateDays = `
  select o.affiliate_id, (o.created_at at time zone s.timezone)::date - date '2000-01-01' as day,
         o.id % 8 as slot, count(*) as orders, count(*) filter (where p.paid) as paid_orders,
         coalesce(sum(o.grand_total - o.refunded_total) filter (where p.paid), 0) as revenue
    from orders o cross join settings s
    cross join lateral (select svc_is_paid(o.status)) p (paid)
   where o.affiliate_id is not null and o.deleted_at is null
   group by 1, 2, 3`;

/** The rows of `sale_commissions`. */
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

/** The rows of `access_ends`. */
export const accessEnds = `
  select coalesce((end_active at time zone 'UTC')::date - date '2000-01-01', 2147483647) as day,
         id % 8 as slot, count(*) as grants
    from access_grants where status = 'active' and deleted_at is null group by 1, 2`;
