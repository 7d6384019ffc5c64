import { paidStatuses } from '../../../../src/exports/store.ts';
import { holds } from '../wordpress-roles.ts';
import {
  affiliateSetting,
  comparedReferrals,
  isAffiliate,
  sponsored,
  withSponsor,
} from '../affiliatewp/compared.ts';
import type { ComparedQueries } from '../importer.ts';
import { comparedSettings } from '../settings.ts';
import { type Plan, ignoredStatuses } from './plan.ts';

/** The shop's side of the comparison, written independently of the mappers. */
export function comparedQueries(plan: Plan): ComparedQueries {
  const { exponent, timezone, keepsAdministrators } = plan;
  const money = (column: string) =>
    `cast(round(cast(coalesce(${column}, '0') as real) * ${10 ** exponent}) as integer)`;
  const { status, opening } = statusesOf(plan);
  const terms = withTerms(plan);
  return {
    settings: comparedSettings(plan),
    ...comparedReferrals(money, firstProduct('r.reference')),
    users: `
      ${withOrders(plan)},
      ${keeper},
      ${sponsored}
      select u.ID as id, coalesce(email_of(u.user_email), nullif(lower(trim(u.user_email)), '')) as email, sponsor, null as "group",
             trim(case when ${holds('administrator')} and ${keepsAdministrators} then 'administrator ' else '' end
               || case when ${isAffiliate} then 'affiliate ' else '' end || 'member' || case when ${holds('shop_manager')} then ' shop-manager' else '' end) as roles
        from users u ${withSponsor}
       union all
      select 'guest-' || id, address, null, null, 'member' from stranger
       union all
      select 'guest-key-' || id, address, null, null, 'member' from keeper`,
    products: `
      select p.ID as id,
             case coalesce(v.shipped, ${isShipped}) when 1 then 'physical' else 'digital' end as type,
             case when t.slug like '%subscription' then 'recurring' else 'one-time' end
               as payment_type, post_status = 'trash' as deleted,
             ${money(`coalesce(v.least, (
               select min(cast(meta_value as real)) from postmeta where post_id = p.ID and meta_key = '_price'))`)} as amount
        from posts p
        left join (
          select post_parent, min(case when is_sold then price end) as least,
                 coalesce(max(case when is_sold then is_shipped end), max(is_shipped)) as shipped
            from (select post_parent, cast(price as real) as price, is_shipped,
                         post_status = 'publish' and coalesce(price, '') <> '' as is_sold
                    from (select post_parent, post_status, ${metaOf('_price')} as price, ${isShipped} as is_shipped
                            from posts p where post_type = 'product_variation' and post_status <> 'trash'))
           where post_parent in (
             select object_id from term_relationships join term_taxonomy using (term_taxonomy_id)
               join terms using (term_id) where taxonomy = 'product_type' and slug like 'variable%')
           group by 1) v on v.post_parent = p.ID
        left join (
          select object_id, min(slug) as slug from term_relationships join term_taxonomy using (term_taxonomy_id)
            join terms using (term_id) where taxonomy = 'product_type' group by 1) t on t.object_id = p.ID
       where post_type = 'product'`,
    coupons: `
      select p.ID as id, capitals(plain_text(post_title)) as code,
             case post_status when 'publish' then 'active' else 'pending' end as status,
             null as parent,
             (select id_of(a.user_id) from affiliate_wp_affiliates a
               where a.affiliate_id = cast(id_of(${metaOf('affwp_discount_affiliate')}) as text)) as owner,
             coalesce(${metaOf('usage_count')}, 0) as uses
        from posts p where post_type = 'shop_coupon'
       union all
      select 'affiliate coupon ' || coupon_id, capitals(coupon_code),
             case when ${hasTemplate} then 'active' else 'pending' end, null,
             (select id_of(a.user_id) from affiliate_wp_affiliates a
               where a.affiliate_id = cast(id_of(c.affiliate_id) as text)), 0
        from affiliate_wp_coupons c`,
    orders: `
      ${withOrders(plan)}
      select o.id, case o.status ${status} end as status,
             case when exists (
               select 1 from woocommerce_order_items i join chain c on c.product = ${productOfLine}
                where i.order_id = o.id and order_item_type = 'line_item'
                  and c.order_id = cast(o.id as integer)) then 'subscription-regular' else 'regular' end as type,
             l.product,
             ${buyer} as buyer,
             f.user_id as affiliate, c.coupon, coalesce(nullif(o.gateway, ''), 'woocommerce') as gateway,
             substr(date_in(o.created, '${timezone}'), 1, 7) as month, l.quantity, ${money('o.total')} as amount,
             (select sum(max(0, ${money(itemMeta('_line_tax'))})) from woocommerce_order_items i
               where i.order_id = o.id and order_item_type = 'line_item') as tax,
             case o.status when 'wc-refunded' then ${money('o.total')} else ${money('r.amount')} end as refunded
        from placed o ${withBuyer}
        left join (${lines}) l on l.order_id = o.id
        left join (${couponOfOrder}) c on c.order_id = o.id
        left join returned r on r.id = o.id
        left join (
          select r.reference, id_of(a.user_id) as user_id, min(cast(r.referral_id as integer))
            from affiliate_wp_referrals r
            left join affiliate_wp_affiliates a on a.affiliate_id = cast(id_of(r.affiliate_id) as text)
           where r.context = 'woocommerce' and id_of(r.parent_id) is null
             and r.status in ('paid', 'unpaid', 'pending') group by 1) f on f.reference = o.id`,
    subscriptions: `
      ${withOrders(plan)},
      ${terms}
      select ${termName} as id, t.first as chain, ends
        from termed t left join ended using (subscription, n, order_id) where n = 1`,
    access: `
      ${withOrders(plan)},
      ${terms},
      line as materialized (
        select order_id, ${productOfLine} as product, coalesce(id_of(${itemMeta('_variation_id')}), ${productOfLine}) as item
          from woocommerce_order_items i where order_item_type = 'line_item')
      select 'orders' as entity, o.id, ${buyer} as buyer, l.product, ${downloadsEnd} as ends
        from placed o ${withBuyer} join line l on l.order_id = o.id
       where o.status in (${opening}) and not exists (
         select 1 from chain where order_id = cast(o.id as integer) and product = l.product
          union all
         select 1 from stray where order_id = cast(o.id as integer) and product = l.product)
       union all
      select 'subscriptions', ${termName}, ${buyer}, t.product, ends
        from termed t join lasting using (subscription, n, order_id)
        join placed o on o.id = cast(t.order_id as text) ${withBuyer}
       where t.status in ('wc-active', 'wc-pending-cancel')`,
    licenses: `
      select k.id, trimmed(license_key) as code,
             coalesce(id_of(product_ref), (${firstProduct('k.purchase_id_')})) as product,
             case when lic_status in ('blocked', 'suspended') then 'inactive' else 'active' end as status,
             utc_of(date(date_expiry, '+1 day'), '${timezone}') as ends,
             (select count(*) from lic_reg_domain_tbl
                where lic_key_id = k.id and trimmed(registered_domain) <> '')
               + (select count(*) from lic_reg_devices_tbl
                  where lic_key_id = k.id and trimmed(registered_devices) <> '') as activations
        from lic_key_tbl k`,
  };
}

/** The cases of the store's statuses by the shop's, and the shop's that give access. */
function statusesOf({ statuses }: Plan) {
  const opening = [...statuses].filter(([, ours]) => isPaid(ours)).map(([theirs]) => `'${theirs}'`);
  return {
    status: [...statuses].map(([theirs, ours]) => `when '${theirs}' then '${ours}'`).join(' '),
    opening: opening.join(),
  };
}

const isPaid = (status: string) => (paidStatuses as readonly string[]).includes(status);

const metaOf = (key: string) =>
  `(select meta_value from postmeta where post_id = p.ID and meta_key = '${key}')`;

/** True for a product or a variation `p` that is neither virtual nor a download. */
const isShipped = `('yes' not in (coalesce(${metaOf('_virtual')}, ''), coalesce(${metaOf('_downloadable')}, '')))`;

const itemMeta = (key: string) =>
  `(select meta_value from woocommerce_order_itemmeta m
     where m.order_item_id = i.order_item_id and meta_key = '${key}')`;

/** The placeholder product for all lines without a product; it exists only in the report. */
const unknownProduct = `(
  select cast(target_id as integer) from entity_row where entity = 'products' and id = '0')`;

/** The product of the line `i`. */
const productOfLine = `coalesce(id_of(${itemMeta('_product_id')}), ${unknownProduct})`;

/** The buyer of the order `o`: an account, or a guest that only the report knows. */
const withBuyer = `
  left join account a on a.address = o.address
  left join stranger s on s.known_by = coalesce(o.address, o.id) and o.customer <= 0
  left join entity_row g on g.entity = 'users' and g.id = 'guest-' || s.id`;
const buyer = 'case when o.customer > 0 then o.customer else coalesce(a.id, g.target_id) end';

/** The end of the downloads of the line `l`; null if one of its files has none. */
const downloadsEnd = `(
  select case when count(*) = count(ends) then max(ends) end
    from (select utc_of(date(access_expires, '+1 day'), 'UTC') as ends
            from woocommerce_downloadable_product_permissions d
           where d.order_id = l.order_id and id_of(d.product_id) = l.item))`;

const firstProduct = (order: string) => `
  select coalesce((select ${productOfLine} from woocommerce_order_items i
   where i.order_id = ${order} and order_item_type = 'line_item'
   order by cast(order_item_id as integer) limit 1), ${unknownProduct})`;

/** True if the coupon that those of affiliates copy is published. */
const hasTemplate = `exists (
  select 1 from posts where ID = ${affiliateSetting('coupon_template_woocommerce')}
     and post_type = 'shop_coupon' and post_status = 'publish')`;

/**
 * The coupon of an order's first coupon line: the one with the line's id, otherwise an affiliate's or the last with its
 * code. Coupons in the bin come last.
 */
const couponOfOrder = `
  with titled as materialized (
    select title, id from (
      select capitals(plain_text(post_title)) as title, cast(ID as integer) as id, row_number() over (
               partition by capitals(plain_text(post_title))
               order by post_status = 'trash', cast(ID as integer) desc) as n
        from posts where post_type = 'shop_coupon') where n = 1),
  copied as materialized (
    select capitals(coupon_code) as title, cast(e.target_id as integer) as id, min(cast(coupon_id as integer))
      from affiliate_wp_coupons
      left join entity_row e on e.entity = 'coupons' and e.id = 'affiliate coupon ' || coupon_id group by 1)
  select order_id, coalesce(
           (select cast(ID as integer) from posts
             where post_type = 'shop_coupon' and ID = cast(coalesce(
               case when json_valid(info) then json_extract(info, '$[0]') end,
               case when data like 'a:%:{s:2:"id";i:%' then substr(data, instr(data, 'i:') + 2) end) + 0 as text)),
           case when ${hasTemplate} then copied.id end, titled.id, copied.id) as coupon
    from (select i.order_id, order_item_name, min(cast(i.order_item_id as integer)),
                 ${itemMeta('coupon_info')} as info, ${itemMeta('coupon_data')} as data
            from woocommerce_order_items i where order_item_type = 'coupon' group by 1)
    left join titled on titled.title = capitals(plain_text(order_item_name))
    left join copied on copied.title = capitals(plain_text(order_item_name))`;

/** The lines of each order: their product, or a mark for several, and the number of items. */
const lines = `
  select order_id, sum(quantity) as quantity,
         case when min(product) is max(product) then min(product) else 'several' end as product
    from (select order_id, ${productOfLine} as product, ${itemMeta('_qty')} as quantity
            from woocommerce_order_items i where order_item_type = 'line_item')
   group by 1`;

/**
 * The shop's orders and their refunds, the owner of each e-mail address, and buyers without an account, by their first
 * order.
 */
function withOrders({ isInTables, currency }: Plan): string {
  const ignored = ignoredStatuses.map((status) => `'${status}'`).join();
  return `
    with placed as materialized (${isInTables ? placedInTables : placedAmongPosts}),
    returned as materialized (${isInTables ? returnedInTables : returnedAmongPosts}),
    bought as materialized (
      select * from placed
       where status not in (${ignored}) and currency = '${currency.replaceAll("'", "''")}'),
    account as materialized (
      select address, id, max(last || printf('%020d', id)) from (
        select address_of(user_email) as address, cast(ID as integer) as id, coalesce(last, '') as last
          from users left join (
            select cast(customer as integer) as customer, max(created) as last from bought group by 1)
            on customer = cast(ID as integer)) where address is not null group by 1),
    stranger as materialized (
      select coalesce(address, id) as known_by, address, min(cast(id as integer)) as id from bought
       where customer <= 0 and (address is null or address not in (select address from account)) group by 1)`;
}

/** People known only from licence keys, by their first key. */
const keeper = `
  keeper as materialized (
    select address, min(id) as id from (
      select id, address, is_sold,
             row_number() over (partition by code order by id) as same
        from (
          select cast(id as integer) as id, address_of(email) as address, code_key(license_key) as code,
                 id_of(product_ref) as product, exists (
                   select 1 from entity_row e
                    where e.entity = 'orders' and e.id = cast(id_of(purchase_id_) as text)
                      and e.target_id is not null) as is_sold
            from lic_key_tbl)
       where code <> '' and (is_sold or product is not null)) k
     where same = 1 and not is_sold
       and (address is null or address not in (
         select address from account union all select address from stranger where address is not null))
     group by coalesce(address, id))`;

/**
 * Selects the term of each order of a subscription, product by product, with the end of those that count, and the last
 * one, whose buyer has the subscription. Each renewal paid for a period up to the shop's end.
 */
function withTerms(plan: Plan): string {
  const { status, opening } = statusesOf(plan);
  const said = (key: string) =>
    plan.isInTables
      ? `(select meta_value from wc_orders_meta where order_id = cast(s.id as text) and meta_key = '${key}')`
      : `(select meta_value from postmeta where post_id = cast(s.id as text) and meta_key = '${key}')`;
  return `
    termed as materialized (
      select c.*, s.status, first_value(c.part) over (partition by c.subscription, c.n order by is_present desc, c.order_id)
               as first, row_number() over chained = 1 as is_first,
             o.status in (${opening}) as counts, case o.status ${status} end as ours,
             utc_of(o.created, 'UTC') as created, utc_of(o.paid, 'UTC') as paid,
             utc_of(o.completed, 'UTC') as completed, utc_of(o.updated, 'UTC') as updated,
             ${said('_billing_period')} as period, coalesce(id_of(${said('_billing_interval')}), 1) as times,
             utc_of(${said('_schedule_next_payment')}, 'UTC') as next,
             utc_of(${said('_schedule_end')}, 'UTC') as stop
        from chain c join shop_order s on s.id = c.subscription
        join placed o on o.id = cast(c.order_id as text)
       where exists (select 1 from entity_row e where e.entity = 'orders' and e.id = o.id and e.target_id is not null)
      window chained as (partition by c.subscription, c.n order by c.order_id)),
    begun as (
      select subscription, n, order_id, is_switch,
             max(created, case ours
               when 'completed' then max(coalesce(paid, created), coalesce(completed, updated, created))
               when 'in-progress' then coalesce(paid, created)
               else coalesce(paid, completed, updated, created) end) as begins,
             case when status in ('wc-active', 'wc-on-hold', 'wc-pending')
               then coalesce(next, stop) else coalesce(stop, next) end as whole,
             case period when 'day' then 1 when 'week' then 7 else 0 end * times as days,
             case period when 'month' then times when 'year' then 12 * times
               when 'day' then 0 when 'week' then 0 else 1 end as months
        from termed where counts),
    followed as (
      select *, lead(begins) over later as follows,
             sum(not is_switch) over (later rows between 1 following and unbounded following) as renewals
        from begun window later as (partition by subscription, n order by order_id)),
    ended as (
      select subscription, n, order_id, begins,
             case when follows is null then whole else max(follows, coalesce(${before}, follows)) end as ends
        from (select *, datetime(whole, '-' || (renewals * days) || ' days') as back,
                     '-' || (renewals * months) || ' months' as ago from followed)),
    lasting as (
      select subscription, n, order_id, latest as ends from (
        select *, max(ends) over (partition by subscription, n) as latest,
               row_number() over (partition by subscription, n order by begins desc, order_id desc) as place
          from ended) where place = 1)`;
}

/** An SQL expression of the same day some months before, or the last day of a shorter month. */
const before = `
  min(date(back, ago), date(back, 'start of month', ago, '+1 month', '-1 day')) || substr(back, 11)`;

/** The report's name of the term `t`. */
const termName = `t.subscription || case when n > 1 then '.' || n else '' end
  || case when is_first then '' else '-' || t.order_id end`;

const placedInTables = `
  select wc_orders.id, status, currency, total_amount as total, coalesce(id_of(customer_id), 0) as customer,
         address_of(billing_email) as address, payment_method as gateway, date_created_gmt as created,
         date_updated_gmt as updated, date_paid_gmt as paid, date_completed_gmt as completed
    from wc_orders left join wc_order_operational_data on order_id = wc_orders.id where type = 'shop_order'`;

const placedAmongPosts = `
  select ID as id, post_status as status, ${metaOf('_order_currency')} as currency,
         ${metaOf('_order_total')} as total,
         coalesce(id_of(${metaOf('_customer_user')}), 0) as customer,
         address_of(${metaOf('_billing_email')}) as address, ${metaOf('_payment_method')} as gateway,
         post_date_gmt as created, post_modified_gmt as updated,
         datetime(nullif(${metaOf('_date_paid')}, ''), 'unixepoch') as paid,
         datetime(nullif(${metaOf('_date_completed')}, ''), 'unixepoch') as completed
    from posts p where post_type = 'shop_order'`;

const returnedInTables = `
  select cast(id_of(o.parent_order_id) as text) as id, sum(cast(m.meta_value as real)) as amount
    from wc_orders o join wc_orders_meta m on m.order_id = o.id and m.meta_key = '_refund_amount'
   where o.type = 'shop_order_refund' and o.status <> 'trash' group by 1`;

const returnedAmongPosts = `
  select cast(id_of(p.post_parent) as text) as id, sum(cast(${metaOf('_refund_amount')} as real)) as amount
    from posts p where post_type = 'shop_order_refund' and post_status <> 'trash' group by 1`;
