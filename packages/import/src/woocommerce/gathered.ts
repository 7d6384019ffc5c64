import { products } from '../../../../src/exports/store.ts';
import { addAddressFunctions, addressOf } from '../values.ts';
import { highestMention, mentionedIds, mentionsOf } from '../mentions.ts';
import { FreeIds } from '../records/split.ts';
import { orderMentions, productMentions, userMentions } from './mentions.ts';
import type { Staging } from '../staging.ts';
import type { woocommerce } from './source.ts';

export type StagedShop = Staging<typeof woocommerce>;

const gatheredTables = [
  ...['shop_order', 'holder', 'guest', 'part', 'sold'],
  ...['own', 'subscribed_line', 'subscribed', 'chain', 'stray'],
];

export interface OrderSelection {
  readonly currency: string;
  /** Statuses of orders that were never placed. */
  readonly ignored: readonly string[];
}

/**
 * Gathers temporary tables beside the staged ones. `shop_order`: the shop's orders and refunds from either storage,
 * each with its `buyer`. `holder`: the account of an address. `guest`: people without an account, with their new ids,
 * by the order or key that first names them: one for each address, and one for each order or key without an address.
 * `part`: the further lines of orders, with the id of the order that each becomes. `sold`: the products of lines and
 * licences, 0 for a line without a product, or an order without lines. `chain`: the orders of subscriptions, each with the
 * `part` that is the subscription's, and if it has the variation and quantity of the subscription's own line. `stray`: the products of orders whose subscription is gone or has another product.
 */
export function gather(staging: StagedShop, isInTables: boolean, wanted: OrderSelection): void {
  const { database } = staging;
  const { currency, ignored } = wanted;
  addAddressFunctions(database);
  database.exec('drop view if exists temp.wanted_order');
  for (const table of gatheredTables) database.exec(`drop table if exists temp.${table}`);
  database.exec(`
    create temp table shop_order (
      id integer primary key, type text, status text, currency text, total text, customer_id integer,
      email text, address text, created text, updated text, parent integer, gateway text, gateway_title text,
      transaction_id text, note text, paid text, completed text, buyer integer);
    insert into shop_order ${isInTables ? inTables : amongPosts};
    create index temp.shop_order_parent on shop_order (parent) where parent > 0;
    create index temp.shop_order_address on shop_order (address);
    create temp view wanted_order as
      select * from shop_order
       where type = 'shop_order' and currency = '${currency.replaceAll("'", "''")}'
         and status not in (${listed(ignored)})`);
  gatherPeople(staging);
  gatherParts(staging);
  gatherProducts(staging);
  gatherChains(staging, isInTables, wanted);
}

const listed = (values: readonly string[]) => values.map((value) => `'${value}'`).join();

const inTables = `
  select cast(o.id as integer), o.type, o.status, o.currency, o.total_amount, id_of(o.customer_id),
         o.billing_email, address_of(o.billing_email), o.date_created_gmt, o.date_updated_gmt,
         id_of(o.parent_order_id), o.payment_method, o.payment_method_title, o.transaction_id,
         o.customer_note, d.date_paid_gmt, d.date_completed_gmt, null
    from wc_orders o left join wc_order_operational_data d on d.order_id = o.id
   group by o.id`;

const meta = (key: string) =>
  `(select meta_value from postmeta where post_id = p.ID and meta_key = '${key}')`;

const moment = (key: string) => `datetime(nullif(${meta(key)}, ''), 'unixepoch')`;

const amongPosts = `
  select cast(p.ID as integer), post_type, post_status, ${meta('_order_currency')},
         ${meta('_order_total')}, id_of(${meta('_customer_user')}),
         ${meta('_billing_email')}, address_of(${meta('_billing_email')}), post_date_gmt, post_modified_gmt,
         id_of(post_parent), ${meta('_payment_method')}, ${meta('_payment_method_title')},
         ${meta('_transaction_id')}, post_excerpt, ${moment('_date_paid')}, ${moment('_date_completed')}, null
    from posts p
   where post_type in ('shop_order', 'shop_order_refund', 'shop_subscription')`;

function gatherPeople(staging: StagedShop): void {
  const { database } = staging;
  const highest = highestMention(staging, userMentions);
  database.exec(`
    create temp table holder (address text primary key, id integer);
    insert or replace into holder
      select address_of(user_email), cast(u.ID as integer) from users u
        left join (select customer_id, max(created) as last from wanted_order group by 1) o
          on o.customer_id = cast(u.ID as integer)
       where address_of(user_email) is not null
       order by coalesce(o.last, ''), cast(u.ID as integer);
    create temp table guest (
      id integer primary key, address text unique, first_order integer unique, first_key integer unique);
    insert into guest (id, address, first_order)
      select ${highest} + row_number() over (order by min(o.id)), o.address, min(o.id)
        from wanted_order o left join holder h on h.address = o.address
       where coalesce(o.customer_id, 0) <= 0 and h.id is null
       group by coalesce(o.address, o.id);
    update shop_order set buyer = case when customer_id > 0 then customer_id else
      coalesce((select id from holder h where h.address = shop_order.address),
               (select id from guest g where g.address = shop_order.address),
               (select id from guest g where g.first_order = shop_order.id)) end`);
}

/** Finds people by their address, with an account or without. */
export function personReader({
  database,
}: StagedShop): (text: string | null) => number | undefined {
  const select = database.prepare(
    'select id from holder where address = ?1 union all select id from guest where address = ?1',
  );
  return (text) => {
    const address = addressOf(text);
    const id = address === null ? undefined : select.get(address)?.['id'];
    return id === undefined ? undefined : Number(id);
  };
}

/** The first line of an order keeps its id; the others get ids near it. */
function gatherParts(staging: StagedShop): void {
  const { database } = staging;
  database.exec('create temp table part (item_id integer primary key, id integer)');
  const insert = database.prepare('insert into part values (?, ?)');
  const free = new FreeIds(mentionedIds(staging, orderMentions));
  const further = database
    .prepare(
      `select order_id, item_id from (
         select o.id as order_id, cast(i.order_item_id as integer) as item_id,
                row_number() over (partition by o.id order by cast(i.order_item_id as integer)) as n
           from wanted_order o
           join woocommerce_order_items i on i.order_id = cast(o.id as text)
          where order_item_type = 'line_item')
        where n > 1 order by 1, 2`,
    )
    .iterate();
  database.exec('begin');
  for (const { order_id, item_id } of further)
    insert.run(Number(item_id), free.after(Number(order_id)));
  database.exec('commit');
}

function gatherProducts({ database }: StagedShop): void {
  database.exec(`
    create temp table sold (product integer primary key, title text);
    insert or replace into sold
      select coalesce(id_of(m.meta_value), 0), i.order_item_name
        from wanted_order o
        left join woocommerce_order_items i
          on i.order_id = cast(o.id as text) and i.order_item_type = 'line_item'
        left join woocommerce_order_itemmeta m
          on m.order_item_id = i.order_item_id and m.meta_key = '_product_id'
       order by o.id;
    insert or ignore into sold
      select distinct id_of(product_ref), null from lic_key_tbl where id_of(product_ref) is not null`);
}

/** The product of lines without one: an id above all that the shop has or mentions. */
export const unknownProduct = (staging: StagedShop): number =>
  1 + Math.max(highestMention(staging, productMentions), highestMention(staging, allPosts));

const allPosts = mentionsOf(products, ['select ID from posts']);

/**
 * A subscription consists of its own orders with its product, product by product: the one that began it, its renewals
 * and its switches. A subscription whose product none of them has consists of those with the product of its first order.
 */
function gatherChains(
  { database }: StagedShop,
  isInTables: boolean,
  { ignored }: OrderSelection,
): void {
  const [meta, id] = isInTables ? ['wc_orders_meta', 'order_id'] : ['postmeta', 'post_id'];
  database.exec(`
    create temp table own (
      order_id integer, kind text, subscription integer, primary key (order_id, kind, subscription)) without rowid;
    create index temp.own_subscription on own (subscription);
    insert or ignore into own
      select parent, '1 first', id from shop_order where type = 'shop_subscription' and parent > 0
       union all
      select cast(${id} as integer),
             case meta_key when '_subscription_renewal' then '2 renewal' else '3 switch' end, id_of(meta_value)
        from ${meta} where meta_key in ('_subscription_renewal', '_subscription_switch')
         and id_of(meta_value) is not null and cast(${id} as integer) > 0;
    create temp table subscribed_line (
      order_id integer, product integer, item_id integer, variation integer, quantity real);
    insert into subscribed_line
      select o.id, id_of(m.meta_value), cast(i.order_item_id as integer),
             coalesce(id_of(${ofLine('_variation_id')}), 0), cast(coalesce(${ofLine('_qty')}, 1) as real)
        from (select id from shop_order where type = 'shop_subscription' union select order_id from own) o
       cross join woocommerce_order_items i on i.order_id = cast(o.id as text) and order_item_type = 'line_item'
       cross join woocommerce_order_itemmeta m on m.order_item_id = i.order_item_id and m.meta_key = '_product_id'
       where id_of(m.meta_value) is not null;
    create index temp.subscribed_line_order on subscribed_line (order_id, product);
    create temp table subscribed as
      select s.id, s.parent, l.product, l.item_id, l.variation, l.quantity, row_number() over (partition by s.id order by l.item_id) as n,
             count(*) over (partition by s.id) as of, false as is_other
        from shop_order s left join subscribed_line l on l.order_id = s.id
       where s.type = 'shop_subscription' and s.status not in (${listed(ignored)});
    update subscribed set is_other = true, product = l.product
      from (select order_id, min(product) as product from subscribed_line group by 1 having count(*) = 1) l
     where l.order_id = subscribed.parent and subscribed.of = 1 and not exists (
       select 1 from own join subscribed_line h using (order_id) join wanted_order w on w.id = order_id
        where own.subscription = subscribed.id and h.product = subscribed.product);
    create temp table chain (
      subscription integer, n integer, product integer, item_id integer, order_id integer, part integer,
      is_switch integer, is_other integer, is_present integer, primary key (order_id, part));
    create index temp.chain_part on chain (part);
    create index temp.chain_subscription on chain (subscription, n, order_id);
    insert or ignore into chain
      select subscription, n, product, own_item, order_id, coalesce(p.id, order_id), kind = '3 switch', is_other, is_same
        from (
          select s.id as subscription, s.n, s.product, s.item_id as own_item, o.id as order_id, kind, is_other,
                 l.item_id, s.variation = l.variation and s.quantity = l.quantity and not is_other as is_same,
                 row_number() over (
                   partition by s.id, s.n, o.id
                   order by s.variation = l.variation and s.quantity = l.quantity desc,
                            s.variation = l.variation desc, kind, l.item_id) as place
            from subscribed s
            join own on own.subscription = s.id
            join wanted_order o on o.id = own.order_id
            join subscribed_line l on l.order_id = o.id and l.product = s.product) f
        left join part p on p.item_id = f.item_id
       where place = 1
       order by order_id, is_same desc, kind, subscription, n`);
  gatherStrays(database);
}

/** The value of a key of the line `i`. */
const ofLine = (key: string) => `(select meta_value from woocommerce_order_itemmeta v
  where v.order_item_id = i.order_item_id and v.meta_key = '${key}' limit 1)`;

/** Gathers the lines that a subscription once sold, and no longer has. Other lines were bought for ever. */
function gatherStrays(database: StagedShop['database']): void {
  database.exec(`
    create temp table stray (order_id integer, product integer, primary key (order_id, product));
    insert or ignore into stray
      select order_id, l.product from own join subscribed_line l using (order_id)
       where not exists (select 1 from chain c where c.order_id = l.order_id and c.product = l.product)
         and (kind = '2 renewal'
              or (select count(*) from subscribed_line s where s.order_id = l.order_id) = 1
              or l.product in (
                select id_of(object_id) from term_relationships
                  join term_taxonomy using (term_taxonomy_id) join terms using (term_id)
                 where taxonomy = 'product_type' and slug like '%subscription'))`);
}

export interface OrderRow {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly currency: string | null;
  readonly total: string | null;
  readonly created: string | null;
  readonly updated: string | null;
  readonly gateway: string | null;
  readonly gateway_title: string | null;
  readonly transaction_id: string | null;
  readonly note: string | null;
  readonly paid: string | null;
  readonly completed: string | null;
  readonly buyer: number | null;
}
