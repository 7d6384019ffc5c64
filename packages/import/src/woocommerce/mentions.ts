import * as store from '../../../../src/exports/store.ts';
import { affiliateMentions, affiliatedUsers, referredOrders } from '../affiliatewp/mentions.ts';
import { type Mentions, idsInMeta, mentionsOf } from '../mentions.ts';

const metaTables = ['postmeta', 'wc_orders_meta'];

export const userMentions = mentionsOf(store.users, [
  'select ID from users',
  'select user_id from usermeta',
  'select post_author from posts',
  'select customer_id from wc_orders',
  idsInMeta('postmeta', ['_customer_user', '_used_by']),
  ...metaTables.map((table) => idsInMeta(table, ['_refunded_by'])),
  affiliatedUsers,
]);

const orderTypes = "('shop_order', 'shop_order_refund', 'shop_subscription')";

export const orderMentions = mentionsOf(store.orders, [
  'select id from wc_orders',
  'select parent_order_id from wc_orders',
  `select ID from posts where post_type in ${orderTypes}`,
  `select post_parent from posts where post_type in ${orderTypes}`,
  "select post_id from postmeta where meta_key in ('_order_total', '_customer_user')",
  'select order_id from wc_orders_meta',
  'select order_id from wc_order_addresses',
  'select order_id from wc_order_operational_data',
  'select order_id from woocommerce_order_items',
  'select comment_post_ID from comments',
  ...metaTables.map((table) => idsInMeta(table, ['_subscription_renewal', '_subscription_switch'])),
  'select purchase_id_ from lic_key_tbl',
  referredOrders('woocommerce'),
]);

export const productMentions = mentionsOf(store.products, [
  "select ID from posts where post_type = 'product'",
  "select post_parent from posts where post_type = 'product_variation'",
  "select post_id from postmeta where meta_key in ('_price', '_regular_price')",
  idsInMeta('postmeta', ['product_ids', 'exclude_product_ids', '_children']),
  idsInMeta('woocommerce_order_itemmeta', ['_product_id']),
  'select product_ref from lic_key_tbl',
  `select object_id from term_relationships r
     join term_taxonomy x on x.term_taxonomy_id = r.term_taxonomy_id`,
]);

export const couponMentions = mentionsOf(store.coupons, [
  "select ID from posts where post_type = 'shop_coupon'",
  "select post_id from postmeta where meta_key in ('discount_type', 'coupon_amount')",
  // `[50,"again","percent",8]`; older versions wrote objects after the id.
  `select cast(ltrim(meta_value, '[ "') as integer) from woocommerce_order_itemmeta
      where meta_key = 'coupon_info'`,
  `select cast(substr(meta_value, instr(meta_value, '{s:2:"id";i:') + 12) as integer)
       from woocommerce_order_itemmeta
      where meta_key = 'coupon_data' and meta_value glob 'a:*:{s:2:"id";i:*'`,
]);

export const woocommerceMentions: readonly Mentions[] = [
  userMentions,
  orderMentions,
  productMentions,
  couponMentions,
  mentionsOf(store.subscriptions, [
    "select id from wc_orders where type = 'shop_subscription'",
    "select ID from posts where post_type = 'shop_subscription'",
    ...metaTables.map((table) =>
      idsInMeta(table, ['_subscription_renewal', '_subscription_switch']),
    ),
  ]),
  mentionsOf(store.licenses, [
    'select id from lic_key_tbl',
    'select lic_key_id from lic_reg_domain_tbl',
    'select lic_key_id from lic_reg_devices_tbl',
  ]),
  ...affiliateMentions,
];
