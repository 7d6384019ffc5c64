import * as store from '../../../../src/exports/store.ts';
import { affiliateMentions, affiliatedUsers, referredOrders } from '../affiliatewp/mentions.ts';
import { affiliateCouponKey } from '../affiliatewp/source.ts';
import { type Mentions, idsInMeta, mentionsOf } from '../mentions.ts';
import { laterPaymentKey } from './source.ts';

export const userMentions = mentionsOf(store.users, [
  'select ID from users',
  'select user_id from usermeta',
  'select post_author from posts',
  'select user_id from edd_orders',
  'select user_id from edd_customers',
  'select user_id from edd_licenses',
  affiliatedUsers,
]);

export const orderMentions = mentionsOf(store.orders, [
  'select id from edd_orders',
  'select parent from edd_orders',
  'select order_id from edd_order_items',
  "select object_id from edd_order_adjustments where object_type = 'order'",
  'select order_id from edd_order_addresses',
  "select object_id from edd_order_transactions where object_type = 'order'",
  'select parent_payment_id from edd_subscriptions',
  'select payment_id from edd_licenses',
  `select meta_value from edd_licensemeta where meta_key = '${laterPaymentKey}'`,
  referredOrders('edd'),
]);

export const eddMentions: readonly Mentions[] = [
  userMentions,
  orderMentions,
  mentionsOf(store.products, [
    "select ID from posts where post_type = 'download'",
    "select post_id from postmeta where meta_key in ('edd_price', 'edd_variable_prices')",
    'select product_id from edd_order_items',
    'select product_id from edd_subscriptions',
    'select download_id from edd_licenses',
    idsInMeta('postmeta', ['_edd_bundled_products']),
    idsInMeta('edd_adjustmentmeta', ['product_requirement', 'excluded_product']),
  ]),
  mentionsOf(store.coupons, [
    'select id from edd_adjustments',
    'select parent from edd_adjustments',
    'select edd_adjustment_id from edd_adjustmentmeta',
    "select type_id from edd_order_adjustments where type = 'discount'",
    `select post_id from postmeta where meta_key = '${affiliateCouponKey}'`,
  ]),
  mentionsOf(store.licenses, [
    'select id from edd_licenses',
    'select parent from edd_licenses',
    'select edd_license_id from edd_licensemeta',
    'select license_id from edd_license_activations',
  ]),
  mentionsOf(store.subscriptions, ['select id from edd_subscriptions']),
  ...affiliateMentions,
];
