import { serialize } from 'php-serialize';
import { sejoli } from '../../../packages/import/src/sejoli/source.ts';
import type { Cell, Table } from '../dump-writer.ts';
import { shopTables } from '../shops.ts';

type Row = Readonly<Record<string, Cell | number>>;

const never = '0000-00-00 00:00:00';

/** A local time of the shop, so many minutes after its first day. */
export const timeOf = (minutes: number): string =>
  new Date(Date.UTC(2023, 0, 1) + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

const options: readonly Row[] = Object.entries({
  blogname: 'Toko Rapi',
  home: 'https://toko.example',
  timezone_string: 'Asia/Jakarta',
  gmt_offset: '7',
  _sejoli_currency_type: 'IDR',
  _sejoli_ppn_price: '11',
  _manual_transaction_operation: 'added',
  '_manual_transaction_info|bank|0|0|value': 'BCA',
  '_manual_transaction_info|owner|0|0|value': 'Toko Rapi',
  '_manual_transaction_info|account|0|0|value': '1234567890',
}).map(([option_name, option_value]) => ({ option_name, option_value }));

export function post(
  id: number,
  type: string,
  title: string,
  meta: Readonly<Record<string, string>>,
  status = 'publish',
): { post: Row; meta: readonly Row[] } {
  return {
    post: {
      ID: id,
      post_type: type,
      post_title: title,
      post_name: title.toLowerCase().replaceAll(' ', '-'),
      post_status: status,
      post_date: timeOf(0),
      post_date_gmt: timeOf(0),
      post_content: '',
      post_excerpt: '',
    },
    meta: Object.entries(meta).map(([meta_key, meta_value]) => ({
      post_id: id,
      meta_key,
      meta_value,
    })),
  };
}

/** The group, products and content of every shop. */
const posts = [
  post(90, 'sejoli-user-group', 'Gold', {
    _can_view_affiliate: 'yes',
    _group_discount_enable: 'yes',
    _group_discount_price: '10',
    _group_discount_price_type: 'percentage',
    '_group_commissions|number|0|0|value': '25',
    '_group_commissions|type|0|0|value': 'percentage',
  }),
  post(101, 'sejoli-product', 'Course', {
    _price: '350000',
    _product_type: 'digital',
    _enable_sale: 'yes',
    _sejoli_enable_affiliate: 'yes',
    '_sejoli_commission|number|0|0|value': '20',
    '_sejoli_commission|type|0|0|value': 'percentage',
    '_sejoli_commission|number|1|0|value': '10000',
    '_sejoli_commission|type|1|0|value': 'fixed',
    _license_active: 'yes',
    _license_count: '3',
  }),
  post(102, 'sejoli-product', 'Membership', {
    _price: '100000',
    _product_type: 'digital',
    _payment_type: 'recurring',
    _enable_sale: 'yes',
    _subscription_duration: '1',
    _subscription_period: 'monthly',
    _subscription_has_signup_fee: 'yes',
    _subscription_signup_fee: '50000',
  }),
  post(103, 'sejoli-product', 'Shirt', {
    _price: '120000',
    _product_type: 'physical',
    _enable_sale: 'yes',
    _enable_quantity: 'yes',
    _shipment_active: 'yes',
    _shipment_weight: '250',
    '_product_variants|name|0|0|value': 'Size',
    '_product_variants|required|0|0|value': 'yes',
    '_product_variants|variant:name|0:0|0|value': 'S',
    '_product_variants|variant:extra_price|0:0|0|value': '0',
    '_product_variants|variant:name|0:1|0|value': 'XL',
    '_product_variants|variant:extra_price|0:1|0|value': '15000',
  }),
  post(120, 'sejoli-access', 'Lesson one', {
    '_product_association|||0|value': 'post:sejoli-product:101',
    '_product_association|||0|id': '101',
    _drip_day: '3',
    _access_block_message: '<p>Only for <b>buyers</b></p>',
  }),
  post(130, 'sejoli-reminder', 'Still open', {
    _reminder_type: 'order',
    '_reminder_media|||0|value': 'email',
    _reminder_day: '2',
    _reminder_order_content:
      '<p>Hi {{buyer-name}}, pay {{order-grand-total}} by {{close-time}}</p>',
  }),
];

/** Rows by table that a shop adds or replaces. */
export type Rows = Readonly<Record<string, readonly Row[]>>;

export const user = (id: number, meta: Readonly<Record<string, string>> = {}) => ({
  user: {
    ID: id,
    user_email: `buyer${id}@mail.example`,
    user_registered: timeOf(id),
    display_name: `Buyer ${id}`,
  },
  meta: Object.entries({
    wp_capabilities: serialize({ 'sejoli-member': true }),
    ...meta,
  }).map(([meta_key, meta_value]) => ({ user_id: id, meta_key, meta_value })),
});

/** An order of the shop, by default of a paid course. */
export function order(id: number, fields: Row = {}, details: object = {}): Row {
  return {
    ID: id,
    created_at: timeOf(10_000 + id * 30),
    updated_at: timeOf(10_000 + id * 30 + 20),
    deleted_at: never,
    order_parent_id: 0,
    product_id: 101,
    user_id: 1,
    affiliate_id: 0,
    coupon_id: 0,
    payment_gateway: 'manual',
    grand_total: '350000.00',
    quantity: 1,
    type: 'regular',
    status: 'completed',
    meta_data: serialize(details),
    ...fields,
  };
}

export const commission = (id: number, fields: Row): Row => ({
  ID: id,
  created_at: timeOf(20_000 + id),
  updated_at: timeOf(20_000 + id + 5),
  deleted_at: never,
  product_id: 101,
  tier: 1,
  commission: '70000.00',
  status: 'added',
  paid_status: 0,
  ...fields,
});

const cellsOf = (row: Row): Readonly<Record<string, Cell>> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? { number: String(value) } : value,
    ]),
  );

export function sejoliTables(people: readonly ReturnType<typeof user>[], rows: Rows): Table[] {
  const all: Rows = {
    options,
    posts: posts.map((one) => one.post),
    postmeta: posts.flatMap((one) => one.meta),
    users: people.map((one) => one.user),
    usermeta: people.flatMap((one) => one.meta),
    ...rows,
  };
  return shopTables(
    sejoli,
    Object.fromEntries(Object.entries(all).map(([name, list]) => [name, list.map(cellsOf)])),
  );
}
