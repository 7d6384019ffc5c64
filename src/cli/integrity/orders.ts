import { type Check, statuses } from './check.ts';

/** Orders whose figures differ from their agreed terms. The query shares no code with the pricing. */
const pricedLaw = `
  with terms as (
    select o.id, o.quantity, o.unit_price, o.subtotal, o.variant_total, o.discount_total,
           o.tax_total, o.shipping_total, (v.extra_price + o.unit_price) * o.quantity as goods,
           v.extra_price * o.quantity as variants_cost, v.extra_weight,
           o.agreed #> '{coupon,discount}' as discount,
           (o.agreed #>> '{coupon,max_discount}')::numeric as max_discount,
           nullif(o.agreed -> 'shipping', 'null') as shipping, o.agreed -> 'tax' as tax
      from orders o
     cross join lateral (
       select coalesce(sum((v ->> 'extra_price')::numeric), 0) as extra_price,
              coalesce(sum((v ->> 'extra_weight')::numeric), 0) as extra_weight
         from jsonb_array_elements(o.variants) v
     ) v
  ), discounts as (
    select *, case when discount is null then 0 else least(goods, nullif(max_discount, 0), case
             when discount ->> 'type' = 'percentage'
               then round(goods * (discount ->> 'value')::numeric / 100)
             when discount ->> 'usage' = 'per_item'
               then least(goods, (discount ->> 'value')::numeric) * quantity
             else (discount ->> 'value')::numeric
           end) end as off
      from terms
  )
  select id from discounts
   where (subtotal, variant_total, discount_total, tax_total, shipping_total) is distinct from (
     unit_price * quantity, variants_cost, off,
     case when (tax ->> 'enabled')::boolean and not (tax ->> 'inclusive')::boolean
       then round((goods - off) * (tax ->> 'rate')::numeric / 100) else 0 end,
     case
       when shipping is null or (shipping ->> 'free')::boolean
         or (discount ->> 'free_shipping')::boolean
         or goods >= (shipping ->> 'free_above')::numeric then 0
       else (shipping ->> 'cost')::numeric + (shipping ->> 'per_kg')::numeric
         * ceil(greatest(0, ((shipping ->> 'weight_g')::numeric + extra_weight) * quantity) / 1000)
     end)`;

export const orderChecks: readonly Check[] = [
  { name: 'figures of orders against their agreed terms', differences: pricedLaw },
  {
    name: 'refunds against their orders',
    differences: `
      select o.id from orders o
        left join refunds r on r.order_id = o.id and r.reopened_at is null
       group by o.id having coalesce(sum(r.amount), 0) <> o.refunded_total`,
  },
  {
    name: 'orders that are refunded in full',
    differences: `
      select id from orders
       where svc_is_paid(status)
         and refunded_total > 0 and refunded_total = grand_total`,
  },
  {
    name: 'deleted orders that are not closed',
    differences: `
      select id from orders
       where deleted_at is not null and status not in (${statuses.closed})`,
  },
  {
    name: 'status of orders against their history',
    differences: `
      select o.id from orders o
        left join lateral (
          select h.to from order_history h where h.order_id = o.id order by h.id desc limit 1
        ) last on true
       where last.to is distinct from o.status`,
  },
];
