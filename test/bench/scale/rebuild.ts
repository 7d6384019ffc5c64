/** The figures that triggers on rows keep, worked out from rows that were written past them. */
export const rebuilds: readonly { name: string; statements: readonly string[] }[] = [
  {
    name: 'order rollups',
    statements: [
      'delete from order_rollups',
      `insert into order_rollups
       select d.dimension, d.key, o.status, o.id % 8, count(*), sum(o.quantity), sum(o.grand_total),
              sum(o.refunded_total)
         from orders o cross join settings s
        cross join lateral (values
          ('store', 0::bigint),
          ('day', (o.created_at at time zone s.timezone)::date - date '2000-01-01'),
          ('product', o.product_id),
          ('affiliate', o.affiliate_id)
        ) d (dimension, key)
        where d.key is not null
        group by 1, 2, 3, 4`,
    ],
  },
  {
    name: 'sales of affiliates',
    statements: [
      'delete from affiliate_sales',
      `insert into affiliate_sales
       select p.period, p.key, p.product_id, o.affiliate_id, o.id % 2, count(*), sum(o.quantity),
              sum(o.grand_total), sum(o.refunded_total)
         from orders o cross join settings s
        cross join lateral (select (o.created_at at time zone s.timezone)::date) day (date)
        cross join lateral (select (12 * (extract(year from day.date) - 2000)
          + extract(month from day.date) - 1)::bigint) month (number)
        cross join lateral (values
          ('all', 0::bigint, 0::bigint), ('all', 0, o.product_id),
          ('month', month.number, 0), ('month', month.number, o.product_id),
          ('day', day.date - date '2000-01-01', o.product_id)
        ) p (period, key, product_id)
        where o.affiliate_id is not null and o.status in ('in-progress', 'shipping', 'completed')
        group by 1, 2, 3, 4, 5`,
    ],
  },
  {
    name: 'days of affiliates',
    statements: [
      'delete from affiliate_days',
      `insert into affiliate_days
       select o.affiliate_id, (o.created_at at time zone s.timezone)::date - date '2000-01-01',
              o.id % 8, count(*), count(*) filter (where p.paid),
              coalesce(sum(o.grand_total - o.refunded_total) filter (where p.paid), 0)
         from orders o cross join settings s
        cross join lateral (select o.status in ('in-progress', 'shipping', 'completed')) p (paid)
        where o.affiliate_id is not null
        group by 1, 2, 3`,
    ],
  },
  {
    name: 'number of grants',
    statements: [
      "delete from list_totals where list = 'access_grants'",
      "insert into list_totals select 'access_grants', 0, count(*) from access_grants",
    ],
  },
];
