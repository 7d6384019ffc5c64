import type { ComparedQueries } from '../importer.ts';
import { comparedSettings } from '../settings.ts';
import type { Plan } from './plan.ts';

/** "Never" is a row of zeros. */
const isSet = (column: string) => `coalesce(${column}, '') not in ('', '0000-00-00 00:00:00')`;

/** Statuses of orders that give access. */
const opening = `'completed', 'in-progress', 'shipping'`;

/** The shop's side of the comparison, written independently of the mappers. */
export function comparedQueries(plan: Plan): ComparedQueries {
  const { exponent, timezone, keepsAdministrators } = plan;
  const money = (column: string) =>
    `cast(round(cast(coalesce(${column}, '0') as real) * ${10 ** exponent}) as integer)`;
  const id = (column: string) => `id_of(${column})`;
  const utc = (column: string) => `utc_of(${column}, '${timezone}')`;
  const holds = (role: string) => `instr(coalesce(k.meta_value, ''), '"${role}"') > 0`;
  return {
    settings: comparedSettings(plan),
    groups: `select ID as id from posts where post_type = 'sejoli-user-group'`,
    users: `
      select u.ID as id, coalesce(email_of(u.user_email), nullif(lower(trim(u.user_email)), '')) as email, ${id('s.meta_value')} as sponsor,
             ${id('g.meta_value')} as "group",
             trim(case when ${holds('administrator')} and ${keepsAdministrators} then 'administrator ' else '' end
               || case when ${holds('sejoli-member')} then 'affiliate ' else '' end || 'member'
               || case when ${holds('shop_manager')} then ' shop-manager' else '' end) as roles
        from users u
        left join usermeta s on s.user_id = u.ID and s.meta_key = '_affiliate_id'
        left join usermeta g on g.user_id = u.ID and g.meta_key = '_user_group'
        left join usermeta k on k.user_id = u.ID and k.meta_key like '%capabilities'`,
    products: `
      select p.ID as id, coalesce(t.meta_value, 'digital') as type,
             coalesce(y.meta_value, 'one-time') as payment_type, post_status = 'trash' as deleted,
             ${money('m.meta_value')} as amount
        from posts p
        left join postmeta t on t.post_id = p.ID and t.meta_key = '_product_type'
        left join postmeta y on y.post_id = p.ID and y.meta_key = '_payment_type'
        left join postmeta m on m.post_id = p.ID and m.meta_key = '_price'
       where post_type = 'sejoli-product'`,
    coupons: `
      select ID as id, capitals(code) as code, status, ${id('coupon_parent_id')} as parent,
             ${id('user_id')} as owner, usage as uses
        from sejolisa_coupons`,
    orders: `
      select ID as id, status, type, ${id('product_id')} as product, ${id('user_id')} as buyer,
             ${id('affiliate_id')} as affiliate,
             case when coupon_id in (select ID from sejolisa_coupons) then ${id('coupon_id')} end as coupon,
             payment_gateway as gateway, substr(created_at, 1, 7) as month, quantity,
             ${money('grand_total')} as amount,
             case when status = 'refunded' then ${money('grand_total')} else 0 end as refunded
        from sejolisa_orders`,
    subscriptions: `
      select ID as id, coalesce(${id('order_parent_id')}, ${id('order_id')}) as chain,
             case when ${isSet('end_date')} then ${utc('end_date')} end as ends
        from sejolisa_subscriptions`,
    commissions: `
      select ID as id, ${id('order_id')} as "order", ${id('affiliate_id')} as affiliate,
             ${id('product_id')} as product, ${id('tier')} as tier, status,
             paid_status as paid, null as payout, ${money('commission')} as amount
        from sejolisa_affiliates`,
    licenses: `
      select min(cast(ID as integer)) as id, min(trimmed(code)) as code, min(product_id) as product,
             case when sum(status = 'active') > 0 then 'active' when sum(status = 'pending') > 0 then 'pending'
               else 'inactive' end as status,
             null as ends, count(nullif(trimmed(string), '')) as activations
        from sejolisa_licenses group by code_key(code)`,
    confirmations: `
      select ID as id, ${id('order_id')} as "order", ${money(`php_text(detail, 'total')`)} as amount
        from sejolisa_confirmations`,
    content: `select ID as id from posts where post_type = 'sejoli-access'`,
    'reminder-templates': `select ID as id from posts where post_type = 'sejoli-reminder'`,
    access: `
      select 'orders' as entity, ID as id, ${id('user_id')} as buyer, ${id('product_id')} as product, null as ends
        from sejolisa_orders where type = 'regular' and status in (${opening})
       union all
      select 'subscriptions', ID, ${id('user_id')}, ${id('product_id')}, ${utc('end_date')}
        from sejolisa_subscriptions where status = 'active' and ${isSet('end_date')}`,
    reminders: `select ID as id, ${id('order_id')} as "order" from sejolisa_reminders`,
  };
}
