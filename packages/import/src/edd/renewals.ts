import { type StagedShop, ignoredStatuses } from './plan.ts';

/**
 * Gathers the orders that renew a subscription: it began with their parent, and has the product and, if several have,
 * the price of their first item. The status says `edd_subscription` only until a renewal is refunded.
 */
export function gatherRenewals({ database }: StagedShop): void {
  const ignored = ignoredStatuses.map((status) => `'${status}'`).join();
  database.exec(`
    drop table if exists temp.renewal;
    create temp table renewal (order_id integer primary key, subscription integer, parent integer);
    create index temp.renewal_subscription on renewal (subscription);
    create index temp.renewal_parent on renewal (parent);
    insert into renewal
      select cast(o.id as integer), cast(s.id as integer), id_of(o.parent)
        from edd_orders o
        join edd_order_items i on i.rowid = (
          select rowid from edd_order_items where order_id = o.id
           order by cast(cart_index as integer), cast(id as integer) limit 1)
        join edd_subscriptions s on s.rowid = (
          select rowid from edd_subscriptions s
           where s.parent_payment_id = o.parent and id_of(s.product_id) = id_of(i.product_id)
           order by s.price_id is not i.price_id, cast(s.id as integer) limit 1)
       where o.type = 'sale' and id_of(o.parent) is not null and o.parent <> o.id and o.mode is not 'test'
         and o.status not in (${ignored})`);
}

/** Reads the renewals of a subscription, as ids of the shop's orders. */
export function renewalsReader({ database }: StagedShop): (subscription: number) => number[] {
  const select = database.prepare(
    'select order_id from renewal where subscription = ? order by order_id',
  );
  return (subscription) => select.all(subscription).map(({ order_id }) => Number(order_id));
}
