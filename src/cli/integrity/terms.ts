/** Licences whose end isn't that of their terms, laid one behind the other in the order they came. */
export const licenseEnds = `
  with recursive terms as (
    select *, row_number() over (partition by license_id order by at, id) as n from license_terms
  ), laid (license_id, n, ends) as (
    select license_id, n, case
             when order_id is null then coalesce(until, 'infinity')
             when days = 0 then 'infinity'
             else at + days * interval '24 hours'
           end
      from terms where n = 1
    union all
    select t.license_id, t.n, case
             when t.order_id is null then coalesce(t.until, 'infinity')
             when t.days = 0 or laid.ends = 'infinity' then 'infinity'
             else greatest(laid.ends, t.at) + t.days * interval '24 hours'
           end
      from laid join terms t on t.license_id = laid.license_id and t.n = laid.n + 1
  ), last as (select distinct on (license_id) * from laid order by license_id, n desc)
  select l.id from licenses l join last on last.license_id = l.id
   where coalesce(l.expires_at, 'infinity') <> last.ends`;

/** Subscriptions that aren't what the terms of their orders, laid one behind the other, come to. */
export const subscriptionSpans = `
  with recursive terms as (
    select t.*, s.timezone as zone,
           row_number() over (partition by first_order_id order by activated_at, order_id) as n
      from subscription_terms t cross join settings s where activated_at is not null
  ), laid (first_order_id, n, start, ends, run_from, run_months, run_day) as (
    select distinct first_order_id, 0::bigint, min(activated_at) over (partition by first_order_id),
           '-infinity'::timestamptz, '-infinity'::timestamptz, 0, 0::numeric
      from terms
    union all
    select t.first_order_id, t.n, r.start, e.ends,
           case when e.is_new_run then e.ends else r.run_from end,
           case when e.is_new_run then 0 else r.run_months end,
           case
             when t.until is not null and extract(day from local.ends + interval '1 day') = 1
             then greatest(r.run_day, extract(day from local.ends))
             when e.is_new_run then extract(day from local.ends)
             else r.run_day
           end
      from laid l join terms t on t.first_order_id = l.first_order_id and t.n = l.n + 1
     cross join lateral (
       select l.start, greatest(l.ends, t.activated_at) as begins,
              case when t.activated_at > l.ends then t.activated_at else l.run_from end as run_from,
              case when t.activated_at > l.ends then 0 else l.run_months end
                + t.duration * case t.period when 'yearly' then 12 else 1 end as run_months,
              case when t.activated_at > l.ends
                then extract(day from t.activated_at at time zone t.zone) else l.run_day end as run_day
     ) r
     cross join lateral (
       select date_trunc('month', r.run_from at time zone t.zone) + make_interval(months => r.run_months) as begins
     ) month
     cross join lateral (
       select t.until is not null or t.period = 'daily' as is_new_run, case
         when t.until is not null then t.until
         when t.period = 'daily'
         then (r.begins at time zone t.zone + make_interval(days => t.duration)) at time zone t.zone
         else (month.begins + (r.run_from at time zone t.zone)::time
                + interval '1 day' * (least(r.run_day, extract(day from month.begins + interval '1 month - 1 day')) - 1)
              ) at time zone t.zone
       end as ends
     ) e
     cross join lateral (select e.ends at time zone t.zone as ends) local
  ), last as (
    select distinct on (l.first_order_id) l.*, t.order_id
      from laid l join terms t using (first_order_id, n)
     order by l.first_order_id, l.n desc
  )
  select coalesce(s.id, l.order_id) from subscriptions s
    full join last l on l.first_order_id = s.first_order_id
   where (s.start, s.end_date) is distinct from (l.start, l.ends)
      or coalesce(l.order_id, s.order_id) is distinct from s.order_id
      or (l.order_id is null) <> (s.status in ('pending', 'inactive'))`;
