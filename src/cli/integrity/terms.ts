/** Licences whose end differs from that of their terms, which follow one another and are moved by pauses. */
export const licenseEnds = `
  with recursive steps as (
    select license_id, at, 0 as place, id, 0 as part, 'term' as kind, order_id, days, until from license_terms
    union all
    select l.id, p.at, 1, c.id, p.part, p.kind, null, 0, null
      from subscription_changes c join licenses l on l.order_id = c.first_order_id
     cross join lateral (values (c.at, 0, 'pause'), (c.resumed_at, 1, 'resume')) p (at, part, kind)
     where c.kind = 'pause' and c.resumed_at is not null
  ), ordered as (
    select *, row_number() over (partition by license_id order by at, place, id, part) as n from steps
  ), laid (license_id, n, ends, frozen) as (
    select distinct license_id, 0::bigint, '-infinity'::timestamptz, null::timestamptz from license_terms
    union all
    select s.license_id, s.n, case s.kind
             when 'pause' then laid.ends
             when 'resume' then case when laid.ends > laid.frozen and laid.ends <> 'infinity'
               then laid.ends + extract(epoch from s.at - laid.frozen) * interval '1 second' else laid.ends end
             else case
               when s.order_id is null then coalesce(s.until, 'infinity')
               when s.days = 0 or laid.ends = 'infinity' then 'infinity'
               else greatest(laid.ends, coalesce(laid.frozen, s.at)) + s.days * interval '24 hours'
             end
           end, case s.kind
             when 'pause' then s.at
             when 'resume' then null
             else case when s.order_id is null and laid.frozen is not null then s.at else laid.frozen end
           end
      from laid join ordered s on s.license_id = laid.license_id and s.n = laid.n + 1
  ), last as (select distinct on (license_id) * from laid order by license_id, n desc)
  select l.id from licenses l join last on last.license_id = l.id
   where coalesce(l.expires_at, 'infinity') <> last.ends`;

/** The steps of each subscription's chain, in order. Instalments belong to a plan that has begun. */
const steps = `
    plans as (
      select s.first_order_id, s.plan_start, p.*
        from subscriptions s join orders f on f.id = s.first_order_id
       cross join lateral jsonb_to_record(f.agreed -> 'plan')
             as p (payments int, after text, grace_days int, duration int, period text)
       where jsonb_typeof(f.agreed -> 'plan') = 'object'
    ), begun as (
      select p.* from plans p
       where exists (select from subscription_terms t
                      where t.first_order_id = p.first_order_id and t.activated_at is not null
                        and t.type <> 'subscription-tryout')
    ), starts as (
      select t.first_order_id, least(min(t.activated_at), min(b.plan_start)) as start
        from subscription_terms t left join begun b using (first_order_id)
       where t.activated_at is not null group by 1
    ), steps as (
      select t.first_order_id, t.activated_at as at, 1 as place, t.order_id as id, 0 as part,
             case when b.first_order_id is not null and t.type <> 'subscription-tryout'
               then 'instalment' else 'term' end as kind, t.duration, t.period, t.until
        from subscription_terms t left join begun b using (first_order_id)
       where t.activated_at is not null
      union all
      select first_order_id, plan_start, 0, 0, 0, 'plan', duration, period, null from begun
      union all
      select c.first_order_id, p.at, 2, c.id, p.part, p.kind, 0, '', c.until
        from subscription_changes c join starts s using (first_order_id)
       cross join lateral (values (c.at, 0, c.kind),
         (case when c.kind = 'pause' then c.resumed_at end, 1, 'resume')) p (at, part, kind)
       where c.at >= s.start and p.at is not null
    ), ordered as (
      select s.*, z.timezone as zone,
             row_number() over (partition by s.first_order_id order by s.at, s.place, s.id, s.part) as n
        from steps s cross join settings z
    )`;

/** The due time of the next instalment of a plan `p` after `paid` ones, by the calendar. */
const dueBy = (from: string, paid: string, zone: string) => `(
  ${from} at time zone ${zone} + make_interval(
    months => case p.period when 'daily' then 0 when 'yearly' then 12 else 1 end * p.duration * ${paid},
    days => case p.period when 'daily' then p.duration * ${paid} else 0 end)) at time zone ${zone}`;

/** Subscriptions that differ from the result of their orders' terms, which follow one another. */
export const subscriptionSpans = `
  with recursive ${steps},
  laid (first_order_id, n, ends, run_from, run_months, run_day, frozen, pause, paid, due_from, shift) as (
    select s.first_order_id, 0::bigint, s.start, s.start, 0, extract(day from s.start at time zone z.timezone),
           null::timestamptz, null::bigint, 0, s.start, 0::numeric
      from starts s cross join settings z
    union all
    select t.first_order_id, t.n, e.ends,
           case when r.is_new_run then e.ends else g.run_from end,
           case when r.is_new_run then 0 when t.kind = 'term' then g.months else g.run_months end,
           case
             when r.is_given and extract(day from local.ends + interval '1 day') = 1
             then greatest(g.run_day, extract(day from local.ends))
             when r.is_new_run then extract(day from local.ends)
             else g.run_day
           end,
           case t.kind
             when 'pause' then t.at
             when 'resume' then null
             when 'end' then case when l.frozen is not null then t.at end
             else l.frozen
           end,
           case t.kind when 'pause' then t.id when 'resume' then null else l.pause end,
           g.paid,
           case when t.kind = 'plan' then e.ends else l.due_from end,
           l.shift + case
             when l.ends = 'infinity' then 0
             when t.kind = 'end' or (t.kind = 'resume' and l.frozen is not null)
             then extract(epoch from e.ends - l.ends)
             else 0
           end
      from laid l join ordered t on t.first_order_id = l.first_order_id and t.n = l.n + 1
      left join begun p on p.first_order_id = l.first_order_id
     cross join lateral (
       select coalesce(l.frozen, t.at) as moment,
              t.kind in ('term', 'plan') and coalesce(l.frozen, t.at) > l.ends as lapsed
     ) w
     cross join lateral (
       select case when w.lapsed then w.moment else l.ends end as begins,
              case when w.lapsed then w.moment else l.run_from end as run_from,
              case when w.lapsed then 0 else l.run_months end as run_months,
              case when w.lapsed then 0 else l.run_months end
                + t.duration * case t.period when 'yearly' then 12 else 1 end as months,
              case when w.lapsed
                then extract(day from w.moment at time zone t.zone) else l.run_day end as run_day,
              l.paid + case when t.kind = 'instalment' then 1 else 0 end as paid
     ) g
     cross join lateral (
       select date_trunc('month', g.run_from at time zone t.zone) + make_interval(months => g.months) as begins
     ) month
     cross join lateral (
       select ${dueBy('l.due_from', 'g.paid', 't.zone')} + l.shift * interval '1 second' as at
     ) due
     cross join lateral (
       select case t.kind
         when 'plan' then g.begins
         when 'pause' then g.begins
         when 'end' then t.until
         when 'resume' then case when l.frozen is null or g.begins = 'infinity' then g.begins
           else g.begins + extract(epoch from t.at - l.frozen) * interval '1 second' end
         when 'instalment' then case
           when g.paid >= p.payments and p.after = 'keep' then 'infinity'
           when g.paid >= p.payments or p.grace_days = 0 then due.at
           else (due.at at time zone t.zone + make_interval(days => p.grace_days)) at time zone t.zone
         end
         else case
           when t.until is not null then t.until
           when g.begins = 'infinity' then 'infinity'
           when t.period = 'daily'
           then (g.begins at time zone t.zone + make_interval(days => t.duration)) at time zone t.zone
           else (month.begins + (g.run_from at time zone t.zone)::time
                  + interval '1 day' * (least(g.run_day, extract(day from month.begins + interval '1 month - 1 day')) - 1)
                ) at time zone t.zone
         end
       end as ends
     ) e
     cross join lateral (
       select t.kind = 'end' or (t.kind = 'term' and t.until is not null)
                or (t.kind = 'resume' and l.frozen is not null and l.ends <> 'infinity') as is_given,
              t.kind = 'end' or (t.kind = 'term' and (t.until is not null or t.period = 'daily'))
                or (t.kind = 'resume' and l.frozen is not null and l.ends <> 'infinity') as is_new_run
     ) r
     cross join lateral (select e.ends at time zone t.zone as ends) local
  ), last as (
    select distinct on (l.first_order_id) l.*, s.start, o.order_id,
           case when p.first_order_id is not null and l.paid < p.payments
             then ${dueBy('l.due_from', 'l.paid', 'z.timezone')} + l.shift * interval '1 second' end as next_due,
           c.at as paused_at, c.until as resumes_at
      from laid l join starts s using (first_order_id) cross join settings z
      left join begun p on p.first_order_id = l.first_order_id
      left join subscription_changes c on c.id = l.pause
     cross join lateral (
       select t.order_id from subscription_terms t
        where t.first_order_id = l.first_order_id and t.activated_at is not null
        order by t.activated_at desc, t.order_id desc limit 1
     ) o
     order by l.first_order_id, l.n desc
  )
  select coalesce(s.id, l.order_id) from subscriptions s
    full join last l on l.first_order_id = s.first_order_id
    left join plans p on p.first_order_id = s.first_order_id
   where (s.start, s.end_date, s.next_due, s.paused_at, s.resumes_at)
           is distinct from (l.start, nullif(l.ends, 'infinity'), l.next_due, l.paused_at, l.resumes_at)
      or (s.payments, s.paid) is distinct from
           (p.payments, case when p.first_order_id is not null then coalesce(l.paid, 0) end)
      or coalesce(l.order_id, s.order_id) is distinct from s.order_id
      or (l.order_id is null) <> (s.status in ('pending', 'inactive'))
      or (l.pause is not null) <> (s.status = 'paused')`;
