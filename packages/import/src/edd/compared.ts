import { holds } from '../wordpress-roles.ts';
import { comparedReferrals, isAffiliate, sponsored, withSponsor } from '../affiliatewp/compared.ts';
import type { ComparedQueries } from '../importer.ts';
import { comparedSettings } from '../settings.ts';
import type { Plan } from './plan.ts';

/** The shop's side of the comparison, written independently of the mappers. */
export function comparedQueries(plan: Plan): ComparedQueries {
  const { exponent, timezone, statuses, keepsAdministrators, keepsCompleted } = plan;
  const money = (column: string) =>
    `cast(round(cast(coalesce(${column}, '0') as real) * ${10 ** exponent}) as integer)`;
  const status = [...statuses].map(([theirs, ours]) => `when '${theirs}' then '${ours}'`).join(' ');
  const firstDiscount = `(
    select d.id from edd_order_adjustments a
      left join edd_adjustments d on d.id = cast(id_of(a.type_id) as text) and d.type = 'discount'
     where a.object_id = o.id and a.object_type = 'order' and a.type = 'discount'
     order by cast(a.id as integer) limit 1)`;
  const given = `coalesce((select ${money('-sum(cast(r.total as real))')} from edd_orders r
     where r.parent = o.id and r.type = 'refund' and r.status = 'complete'), 0)`;
  const product = `select id_of(product_id) from edd_order_items i where i.order_id = r.reference
    order by cast(cart_index as integer), cast(id as integer) limit 1`;
  return {
    settings: comparedSettings(plan),
    ...comparedReferrals(money, product),
    users: `
      with ${sponsored}
      select u.ID as id, coalesce(email_of(u.user_email), nullif(lower(trim(u.user_email)), '')) as email, sponsor, null as "group",
             trim(case when ${holds('administrator')} and ${keepsAdministrators} then 'administrator ' else '' end
               || case when ${isAffiliate} then 'affiliate ' else '' end || 'member' || case when ${holds('shop_manager')} then ' shop-manager' else '' end) as roles
        from users u ${withSponsor}
      union all
      select 'customer ' || id, coalesce(email_of(email), lower(trim(email))), null, null, 'member' from (
        select *, row_number() over (partition by id_of(user_id) order by cast(id as integer)) as n
          from edd_customers)
       where case when id_of(user_id) is null
               then address_of(email) is null or address_of(email) not in (
                 select address_of(user_email) from users where address_of(user_email) is not null)
               else n = 1 and id_of(user_id) not in (select cast(ID as integer) from users) end
      union all
      select 'guest-' || min(cast(id as integer)), address_of(email), null, null, 'member' from edd_orders
       where type = 'sale' and id_of(user_id) is null
         and (id_of(customer_id) is null or cast(id_of(customer_id) as text) not in (select id from edd_customers))
         and (address_of(email) is null or address_of(email) not in (
           select address_of(user_email) from users where address_of(user_email) is not null
            union select address_of(email) from edd_customers where address_of(email) is not null))
       group by coalesce(address_of(email), id)`,
    products: `
      select p.ID as id, 'digital' as type,
             case when case when coalesce(${metaOf('_variable_pricing')}, '') in ('', '0') then ${metaOf('edd_recurring')} = 'yes'
                         else instr(${metaOf('edd_variable_prices')}, '"recurring";s:3:"yes"') > 0 end
               then 'recurring' else 'one-time' end as payment_type, post_status = 'trash' as deleted,
             case when coalesce(${metaOf('_variable_pricing')}, '') in ('', '0') then ${money(metaOf('edd_price'))}
               else ${money(`php_min(${metaOf('edd_variable_prices')}, 'amount')`)} end as amount
        from posts p`,
    coupons: `
      select id, capitals(code) as code, case status when 'active' then 'active' else 'pending' end as status,
             null as parent,
             (select id_of(a.user_id) from postmeta m
                join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(m.meta_value) as text)
               where m.post_id = d.id and m.meta_key = 'affwp_discount_affiliate') as owner,
             use_count as uses
        from edd_adjustments d`,
    orders: `
      ${withHolders}
      select o.id, case o.status ${status} end as status,
             case when o.status = 'edd_subscription' or cast(o.id as integer) in (select order_id from renewal)
                    or exists (select 1 from edd_subscriptions s join edd_order_items i on i.order_id = o.id
                                where s.parent_payment_id = o.id and id_of(s.product_id) = id_of(i.product_id))
               then 'subscription-regular' else 'regular' end as type,
             (select id_of(product_id) from edd_order_items i where i.order_id = o.id
               order by cast(cart_index as integer), cast(id as integer) limit 1) as product,
             ${buyer} as buyer,
             (select id_of(a.user_id) from affiliate_wp_referrals r
                left join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(r.affiliate_id) as text)
               where r.context = 'edd' and r.reference = o.id and id_of(r.parent_id) is null
                 and r.status in ('paid', 'unpaid', 'pending')
               order by cast(r.referral_id as integer) limit 1) as affiliate, ${firstDiscount} as coupon,
             case when coalesce(gateway, '') = ''
                    or gateway = 'manual' and o.status in ('pending', 'processing', 'on_hold')
               then 'edd' else gateway end as gateway,
             substr(date_in(o.date_created, '${timezone}'), 1, 7) as month,
             (select sum(case when id_of(quantity) <= 2147483647 then id_of(quantity) else 1 end) from edd_order_items i where i.order_id = o.id) as quantity,
             ${money('total')} as amount,
             (select sum(max(0, ${money('tax')})) from edd_order_items i where i.order_id = o.id) as tax,
             case when o.status = 'refunded' then ${money('total')} else ${given} end as refunded
        from edd_orders o
       where type = 'sale'`,
    subscriptions: `
      with ${terms(plan)}
      select name as id, chain, ends from term t left join ended using (subscription, order_id)`,
    access: `
      ${withHolders},
      ${terms(plan)}
      select 'orders' as entity, o.id, ${buyer} as buyer, id_of(i.product_id) as product, null as ends
        from edd_orders o join edd_order_items i on i.order_id = o.id
       where o.type = 'sale' and o.mode is not 'test' and i.status in ('complete', 'partially_refunded')
         and not exists (
           select 1 from edd_subscriptions s
            where (s.parent_payment_id = o.id and i.id = (
                     select j.id from edd_order_items j
                      where j.order_id = o.id and id_of(j.product_id) = id_of(s.product_id)
                      order by j.price_id is not s.price_id, cast(cart_index as integer), cast(j.id as integer)
                      limit 1))
               or (s.parent_payment_id = o.parent and id_of(o.parent) is not null
                 and id_of(s.product_id) = id_of(i.product_id)))
       union all
      select 'subscriptions', name, ${buyer}, product,
             case when is_completed and ${keepsCompleted} then null else ends end
        from term t join ended using (subscription, order_id) join edd_orders o on o.id = t.order_id
       where not is_revoked`,
    licenses: `
      select id, trimmed(license_key) as code, id_of(download_id) as product,
             case status when 'disabled' then 'inactive' else 'active' end as status,
             epoch_of(expiration) as ends,
             (select count(*) from edd_license_activations a
               where a.license_id = l.id and activated = '1' and trim(site_name) <> '') as activations
        from edd_licenses l`,
  };
}

const metaOf = (key: string) =>
  `(select meta_value from postmeta where post_id = p.ID and meta_key = '${key}')`;

/**
 * The term of each order of a subscription, by its name in the report, and the end of those that count: the next one's
 * begin or, of the last, that of the subscription.
 */
function terms({ statuses }: Plan): string {
  const completed = [...statuses].flatMap(([theirs, ours]) =>
    ours === 'completed' ? `'${theirs}'` : [],
  );
  return `
    member as materialized (
      select s.id as subscription, o.id as order_id, 0 as place from edd_subscriptions s
        join edd_orders o on o.id = s.parent_payment_id and o.type = 'sale'
       union all
      select cast(subscription as text), cast(order_id as text), order_id from renewal),
    term as materialized (
      select m.*, id_of(s.product_id) as product, nullif(s.expiration, '') as stop,
             first_value(m.order_id) over chain as chain, first_value(o.status) over chain = 'revoked' as is_revoked,
             s.status is 'completed' as is_completed,
             case when row_number() over chain = 1 then s.id else s.id || '-' || m.order_id end as name,
             o.status in (${completed.join()}) and not (cast(o.total as real) > 0 and cast(o.total as real) = -coalesce((
               select sum(cast(r.total as real)) from edd_orders r
                where r.parent = o.id and r.type = 'refund' and r.status = 'complete'), 0)) as counts,
             coalesce(utc_of(o.date_completed, 'UTC'), utc_of(o.date_created, 'UTC')) as begins
        from member m join edd_subscriptions s on s.id = m.subscription join edd_orders o on o.id = m.order_id
      window chain as (partition by m.subscription order by m.place)),
    ended as (
      select subscription, order_id, coalesce(
               lead(begins) over (partition by subscription order by place),
               case when stop > '1971' then stop end) as ends
        from term where counts)`;
}

/** The user of each address: the first account, otherwise the first customer, otherwise a guest. */
const withHolders = `
  with holder as materialized (
    select address, id, min(rank) from (
      select address_of(user_email) as address, ID as id, printf('0 %020d', ID) as rank from users
       union all
      select address_of(email), target_id, printf('1 %020d', c.id) from edd_customers c
        join entity_row e on e.entity = 'users' and e.id = 'customer ' || c.id
       union all
      select address_of(o.email), target_id, '2' from edd_orders o
        join entity_row e on e.entity = 'users' and e.id = 'guest-' || o.id)
     where address is not null group by 1)`;

/** The buyer of the order `o`. Only the report has the users of customers without an account. */
const buyer = `coalesce(
  id_of(o.user_id),
  (select target_id from entity_row where entity = 'users' and id = 'customer ' || id_of(o.customer_id)),
  (select id from holder where address = address_of(o.email)),
  (select target_id from entity_row where entity = 'users' and id = 'guest-' || o.id))`;
