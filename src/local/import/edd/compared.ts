import { comparedReferrals, isAffiliate, sponsorOfUser } from '../affiliatewp/compared.ts';
import type { ComparedQueries } from '../mapped.ts';
import type { Plan } from './plan.ts';

/** What the shop's own tables say, in the words of the store: apart from the code that maps them. */
export function comparedQueries({
  exponent,
  timezone,
  statuses,
  keepsAdministrators,
}: Plan): ComparedQueries {
  const money = (column: string) =>
    `cast(round(cast(coalesce(${column}, '0') as real) * ${10 ** exponent}) as integer)`;
  const id = (column: string) => `nullif(cast(${column} as integer), 0)`;
  const holds = (role: string) => `instr(coalesce(k.meta_value, ''), '"${role}"') > 0`;
  const status = [...statuses].map(([theirs, ours]) => `when '${theirs}' then '${ours}'`).join(' ');
  const firstDiscount = `(
    select type_id from edd_order_adjustments a
     where a.object_id = o.id and a.object_type = 'order' and a.type = 'discount'
     order by cast(a.id as integer) limit 1)`;
  const given = `coalesce((select -sum(${money('r.total')}) from edd_orders r
     where r.parent = o.id and r.type = 'refund' and r.status = 'complete'), 0)`;
  // Customers without an account have users that only the report knows.
  const buyer = `coalesce(${id('o.user_id')},
    (select target_id from entity_row where entity = 'users' and id = 'customer ' || o.customer_id))`;
  const product = `select product_id from edd_order_items i where i.order_id = r.reference
    order by cast(cart_index as integer), cast(id as integer) limit 1`;
  return {
    ...comparedReferrals(money, product),
    users: `
      select u.ID as id, nullif(lower(trim(u.user_email)), '') as email, ${sponsorOfUser} as sponsor, null as "group",
             trim(case when ${holds('administrator')} and ${keepsAdministrators} then 'administrator ' else '' end
               || case when ${isAffiliate} then 'affiliate ' else '' end || 'member' || case when ${holds('shop_manager')} then ' shop-manager' else '' end) as roles
        from users u
        left join usermeta k on k.user_id = u.ID and k.meta_key like '%capabilities'
      union all
      select 'customer ' || c.id, lower(c.email), null, null, 'member' from edd_customers c
       where not exists (select 1 from users u where u.ID = c.user_id or lower(u.user_email) = lower(c.email))`,
    products: `
      select p.ID as id, 'digital' as type, 'one-time' as payment_type, post_status = 'trash' as deleted,
             case when coalesce(v.meta_value, '') in ('', '0') then ${money('m.meta_value')}
               else ${money(`php_min(o.meta_value, 'amount')`)} end as amount
        from posts p
        left join postmeta m on m.post_id = p.ID and m.meta_key = 'edd_price'
        left join postmeta v on v.post_id = p.ID and v.meta_key = '_variable_pricing'
        left join postmeta o on o.post_id = p.ID and o.meta_key = 'edd_variable_prices'`,
    coupons: `
      select id, upper(trim(code)) as code, case status when 'active' then 'active' else 'pending' end as status,
             null as parent,
             (select cast(a.user_id as integer) from postmeta m
                join affiliate_wp_affiliates a on a.affiliate_id = m.meta_value
               where m.post_id = d.id and m.meta_key = 'affwp_discount_affiliate') as owner,
             use_count as uses
        from edd_adjustments d`,
    orders: `
      select o.id, case o.status ${status} end as status,
             case when o.status = 'edd_subscription'
                    or o.id in (select parent_payment_id from edd_subscriptions)
               then 'subscription-regular' else 'regular' end as type,
             (select product_id from edd_order_items i where i.order_id = o.id
               order by cast(cart_index as integer), cast(id as integer) limit 1) as product,
             ${buyer} as buyer,
             (select cast(a.user_id as integer) from affiliate_wp_referrals r
                join affiliate_wp_affiliates a on a.affiliate_id = r.affiliate_id
               where r.context = 'edd' and r.reference = o.id and coalesce(r.parent_id, '0') = '0'
                 and r.status in ('paid', 'unpaid', 'pending')
               order by cast(r.referral_id as integer) limit 1) as affiliate, ${firstDiscount} as coupon,
             case when gateway in ('', 'manual') and o.status in ('pending', 'processing', 'on_hold') or gateway = ''
               then 'edd' else gateway end as gateway,
             substr(date_in(o.date_created, '${timezone}'), 1, 7) as month,
             (select sum(max(1, cast(quantity as integer))) from edd_order_items i where i.order_id = o.id) as quantity,
             ${money('total')} as amount,
             case when o.status = 'refunded' then ${money('total')} else ${given} end as refunded
        from edd_orders o
       where type = 'sale'`,
    subscriptions: `
      select id, parent_payment_id as chain,
             case when expiration > '1971' then expiration end as ends
        from edd_subscriptions`,
    access: `
      select 'orders' as entity, o.id, ${buyer} as buyer, i.product_id as product, null as ends
        from edd_orders o join edd_order_items i on i.order_id = o.id
       where o.type = 'sale' and o.mode <> 'test' and i.status in ('complete', 'partially_refunded')
         and not exists (select 1 from edd_subscriptions
                          where parent_payment_id in (o.id, o.parent) and product_id = i.product_id)
       union all
      select 'subscriptions', s.id, ${buyer}, s.product_id, expiration
        from edd_subscriptions s join edd_orders o on o.id = s.parent_payment_id
       where expiration > '1971' and o.status in ('complete', 'partially_refunded')`,
    licenses: `
      select id, trim(license_key) as code, download_id as product,
             case status when 'disabled' then 'inactive' else 'active' end as status,
             epoch_of(expiration) as ends,
             (select count(distinct lower(trim(site_name))) from edd_license_activations a
               where a.license_id = l.id and activated = '1') as activations
        from edd_licenses l`,
  };
}
