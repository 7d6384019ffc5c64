import * as store from '../../../../src/exports/store.ts';
import { type Mentions, idsInMeta, mentionsOf } from '../mentions.ts';

const inTables = (column: string, tables: readonly string[]) =>
  tables.map((table) => `select ${column} from sejolisa_${table}`);

const posts = (type: string) => `select ID from posts where post_type = '${type}'`;

/** Products that coupon rules include or exclude. */
const ruled = ['apply_only', 'cant_apply'].map(
  (key) => `select j.value from sejolisa_coupons c, json_each(ids_at(c.rule, '${key}')) j`,
);

export const sejoliMentions: readonly Mentions[] = [
  mentionsOf(store.users, [
    'select ID from users',
    'select user_id from usermeta',
    'select post_author from posts',
    idsInMeta('usermeta', ['_affiliate_id']),
    ...inTables('user_id', [
      ...['orders', 'coupons', 'licenses', 'subscriptions', 'confirmations', 'wallet'],
    ]),
    ...inTables('affiliate_id', ['orders', 'affiliates']),
  ]),
  mentionsOf(store.userGroups, [
    posts('sejoli-user-group'),
    idsInMeta('usermeta', ['_user_group']),
    idsInMeta('postmeta', ['_user_group_buy_list*', '_user_group_update']),
    "select post_id from postmeta where meta_key glob '_group_*'",
  ]),
  mentionsOf(store.products, [
    posts('sejoli-product'),
    "select post_id from postmeta where meta_key = '_price'",
    idsInMeta('postmeta', [
      '_product_association|*|id',
      '_group_setup_per_product|product|*|value',
    ]),
    ...ruled,
    ...inTables('product_id', [
      ...['orders', 'affiliates', 'licenses', 'subscriptions', 'confirmations', 'wallet'],
    ]),
  ]),
  mentionsOf(store.coupons, [
    ...inTables('ID', ['coupons']),
    ...inTables('coupon_parent_id', ['coupons']),
    ...inTables('coupon_id', ['orders']),
  ]),
  mentionsOf(store.orders, [
    ...inTables('ID', ['orders']),
    ...inTables('order_parent_id', ['orders', 'subscriptions']),
    ...inTables('order_id', [
      ...['affiliates', 'licenses', 'subscriptions', 'confirmations', 'reminders', 'wallet'],
    ]),
  ]),
  mentionsOf(store.commissions, inTables('ID', ['affiliates'])),
  mentionsOf(store.subscriptions, inTables('ID', ['subscriptions'])),
  mentionsOf(store.licenses, inTables('ID', ['licenses'])),
  mentionsOf(store.confirmations, inTables('ID', ['confirmations'])),
  mentionsOf(store.reminders, inTables('ID', ['reminders'])),
  mentionsOf(store.accessContent, [posts('sejoli-access')]),
  mentionsOf(store.reminderTemplates, [posts('sejoli-reminder')]),
];
