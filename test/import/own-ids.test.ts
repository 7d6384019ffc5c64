import { expect } from 'vitest';
import { long } from '../harness/long.ts';
import { eddImporter } from '../../packages/import/src/edd/index.ts';
import { sejoliImporter } from '../../packages/import/src/sejoli/index.ts';
import { woocommerceImporter } from '../../packages/import/src/woocommerce/index.ts';
import type { Table } from './dump-writer.ts';
import { download, eddTables, item, order as sale } from './edd/shop.ts';
import { type Moved, useMoves } from './moved.ts';
import { commission, order, sejoliTables, timeOf, user } from './sejoli/shop.ts';
import { cellsOf, writeDump } from './shops.ts';
import { dayOf, madeShop } from './woocommerce/shop.ts';

const { dumpPath, moved } = useMoves();

/**
 * Impossible ids: too large for a JavaScript number, for a bigint of PostgreSQL or of MySQL, and others that no row
 * has.
 */
const impossible = [
  ...['9007199254740992', '9007199254740993', '9223372036854775808', '18446744073709551615'],
  ...['99999999999999999999', '0', '-5', '007', '1.5', 'x'],
];

/** The rows of a table, and copies of the first row of each type with these ids. */
function withImpossible(tables: readonly Table[], ids: Readonly<Record<string, string>>): Table[] {
  return tables.map((table) => {
    const column = ids[table.name.replace(/^wp_/, '')];
    if (column === undefined) return table;
    const place = table.columns.indexOf(column);
    const type = table.columns.findIndex((name) => name === 'post_type' || name === 'type');
    const kinds = Map.groupBy(table.rows, (row) => JSON.stringify(row[type]));
    const lost = [...kinds.values()].flatMap(([first = []]) =>
      impossible.map((id) => first.with(place, id)),
    );
    return { ...table, rows: [...lost, ...table.rows] };
  });
}

const reported = (shop: Moved, entity: string, prefix = '') =>
  impossible.map((id) => {
    const { outcome, reason, targetId } = shop.reported(entity, prefix + id) ?? {};
    return `${outcome} ${reason} ${targetId}`;
  });

const refused = impossible.map(() => 'refused id-impossible null');

const idsIn = async (shop: Moved, table: string) =>
  (await shop.query<{ own: string }>(`select id::text as own from ${table} order by id`)).map(
    ({ own }) => own,
  );

long('Rows of a Sejoli shop with impossible ids are reported and get no other id', async () => {
  const path = dumpPath('sejoli.sql');
  const never = '0000-00-00 00:00:00';
  const times = { created_at: timeOf(0), updated_at: timeOf(9), deleted_at: never };
  const tables = sejoliTables([user(1)], {
    sejolisa_orders: [
      order(1),
      order(2, { product_id: 102, type: 'subscription-regular', grand_total: '100000.00' }),
      order(3, { user_id: '9007199254740993' }),
      order(4, { order_parent_id: '9007199254740993' }),
    ],
    sejolisa_affiliates: [commission(70, { order_id: 1, affiliate_id: 1 })],
    sejolisa_coupons: [{ ...times, ID: 3, code: 'ONCE', user_id: 0, coupon_parent_id: 0 }],
    sejolisa_licenses: [
      {
        ...times,
        ID: 30,
        order_id: 1,
        product_id: 101,
        code: 'KEY-1',
        user_id: 1,
        status: 'active',
      },
    ],
    sejolisa_subscriptions: [
      {
        ...{ ...times, ID: 50, order_id: 2, order_parent_id: 0, user_id: 1, product_id: 102 },
        ...{ type: 'regular', end_date: '2030-01-01 00:00:00', status: 'active' },
      },
    ],
    sejolisa_confirmations: [
      { ID: 40, created_at: timeOf(0), order_id: 1, user_id: 1, detail: 'a:0:{}' },
    ],
    sejolisa_reminders: [
      {
        ...{ ID: 60, created_at: timeOf(0), sent_at: timeOf(1), order_id: 1, status: '1' },
        ...{ media_type: 'email', reminder_type: 'order', title: 'Pay', content: 'Pay' },
      },
    ],
  });
  const own = (name: string) => [`sejolisa_${name}`, 'ID'];
  const ids = Object.fromEntries([
    ...['orders', 'affiliates', 'coupons', 'licenses', 'subscriptions'].map(own),
    ...['confirmations', 'reminders'].map(own),
    ['users', 'ID'],
    ['posts', 'ID'],
  ]) as Record<string, string>;
  writeDump(path, withImpossible(tables, ids));
  const shop = await moved(sejoliImporter, path);
  for (const entity of [
    ...['users', 'groups', 'products', 'coupons', 'orders', 'subscriptions', 'commissions'],
    ...['licenses', 'confirmations', 'content', 'reminder-templates', 'reminders'],
  ])
    expect([entity, reported(shop, entity)]).toEqual([entity, refused]);
  expect(await idsIn(shop, 'users')).toEqual(['1']);
  expect(await idsIn(shop, 'orders')).toEqual(['1', '2', '4']);
  expect(await idsIn(shop, 'products')).toEqual(['101', '102', '103']);
  expect(await idsIn(shop, 'licenses')).toEqual(['30']);
  expect(shop.reported('orders', 3)?.reason).toBe('buyer-missing');
  expect(shop.reported('orders', 4)?.reason).toBe('value-impossible parent-missing');
});

long.each([true, false])(
  'Rows of a WooCommerce shop with impossible ids are reported and get no other id (tables: %s)',
  async (isInTables) => {
    const path = dumpPath(`woocommerce-${isInTables}.sql`);
    const tables = madeShop(
      {
        users: [{ id: 1, email: 'one@mail.example' }],
        posts: [
          { id: 502, type: 'product', title: 'Shirt', meta: { _price: '10' } },
          { id: 503, type: 'product_variation', parent: 502, title: 'S', meta: { _price: '10' } },
          { id: 601, type: 'shop_coupon', title: 'TEN', meta: { coupon_amount: '10' } },
        ],
        types: { 502: 'variable' },
        orders: [
          {
            ...{ id: 9, customer: 1, total: '10.00', status: 'wc-completed', completed: true },
            refunds: [{ id: 15, amount: '1.00' }],
          },
          { id: 10, email: 'guest@mail.example', total: '20.00', lines: [{}, {}] },
        ],
        subscriptions: [{ id: 20, order: 9, next: dayOf(900) }],
        more: {
          lic_key_tbl: [
            cellsOf({
              ...{ id: 5, license_key: 'KEY-1', product_ref: '501', lic_status: 'active' },
              ...{ email: 'holder@people.example', max_allowed_domains: '1' },
              ...{ max_allowed_devices: '0', date_created: '2024-02-01' },
            }),
          ],
          affiliate_wp_affiliates: [cellsOf({ affiliate_id: 3, user_id: 1, status: 'active' })],
          affiliate_wp_referrals: [
            cellsOf({
              ...{ referral_id: 7, affiliate_id: 3, status: 'unpaid', amount: '2.00' },
              ...{ currency: 'EUR', context: 'woocommerce', reference: '9', parent_id: 0 },
            }),
          ],
          affiliate_wp_payouts: [
            cellsOf({ payout_id: 8, affiliate_id: 3, amount: '2.00', status: 'paid' }),
          ],
          affiliate_wp_coupons: [cellsOf({ coupon_id: 4, affiliate_id: 3, coupon_code: 'SELLER' })],
        },
      },
      isInTables,
    );
    const lost = { wc_orders: 'id', posts: 'ID', users: 'ID', lic_key_tbl: 'id' };
    const ofAffiliates = {
      ...{ affiliate_wp_affiliates: 'affiliate_id', affiliate_wp_referrals: 'referral_id' },
      ...{ affiliate_wp_payouts: 'payout_id', affiliate_wp_coupons: 'coupon_id' },
    };
    const items = { woocommerce_order_items: 'order_item_id' };
    writeDump(path, withImpossible(tables, { ...lost, ...ofAffiliates, ...items }));
    const shop = await moved(woocommerceImporter, path);
    for (const entity of [
      ...['users', 'products', 'coupons', 'orders', 'subscriptions'],
      ...['licenses', 'commissions', 'payouts'],
    ])
      expect([entity, reported(shop, entity)]).toEqual([entity, refused]);
    expect(reported(shop, 'users', 'affiliate ')).toEqual(refused);
    expect(reported(shop, 'coupons', 'affiliate coupon ')).toEqual(refused);
    const orders = await idsIn(shop, 'orders');
    expect(orders).toHaveLength(3);
    expect(orders.slice(0, 2)).toEqual(['9', '10']);
    expect(await idsIn(shop, 'products')).toEqual(['501', '502']);
    expect(await idsIn(shop, 'licenses')).toEqual(['5']);
    // Its items could not be distinguished.
    expect(shop.reported('orders', 9)?.reason).toContain('lines-unknown');
    expect(shop.reported('orders', 10)?.reason).not.toContain('lines-unknown');
    const { plan } = woocommerceImporter.plan(shop.staging, {});
    const owed = [...woocommerceImporter.owed(shop.staging, plan)];
    expect(owed).toEqual([
      { userId: '1', kind: 'referral', amount: 200 * impossible.length, currency: 'EUR' },
    ]);
  },
);

long('Rows of an EDD shop with impossible ids are reported and get no other id', async () => {
  const path = dumpPath('edd.sql');
  const tables = eddTables([download(21, 'Plugin', { edd_price: '50' })], {
    users: [{ ID: 2, user_email: 'two@mail.example', user_registered: '2024-01-01 00:00:00' }],
    edd_orders: [sale(1), sale(2), sale(3, { customer_id: '9007199254740993', email: '' })],
    edd_order_items: [item(1, 1), item(2, 2), item(3, 3)],
    edd_adjustments: [{ id: 4, code: 'TEN', status: 'active', type: 'discount', amount: '10' }],
    edd_subscriptions: [
      {
        ...{ id: 6, customer_id: 1, period: 'year', parent_payment_id: 2, product_id: 21 },
        ...{ expiration: '2030-01-01 00:00:00', status: 'active', profile_id: '' },
      },
    ],
    edd_licenses: [
      {
        ...{ id: 7, license_key: 'KEY-1', status: 'active', download_id: 21, payment_id: 1 },
        ...{ cart_index: 0, date_created: '2024-03-01 10:05:00', expiration: '0', customer_id: 1 },
      },
    ],
    edd_licensemeta: [],
    edd_license_activations: [],
  });
  const own = (name: string) => [`edd_${name}`, 'id'];
  const ids = Object.fromEntries([
    ...['orders', 'adjustments', 'customers', 'subscriptions', 'licenses'].map(own),
    ['users', 'ID'],
    ['posts', 'ID'],
  ]) as Record<string, string>;
  writeDump(path, withImpossible(tables, ids));
  const shop = await moved(eddImporter, path);
  for (const entity of [...['users', 'products', 'coupons', 'orders', 'subscriptions', 'licenses']])
    expect([entity, reported(shop, entity)]).toEqual([entity, refused]);
  expect(reported(shop, 'users', 'customer ')).toEqual(refused);
  expect(await idsIn(shop, 'orders')).toEqual(['1', '2', '3']);
  expect(await idsIn(shop, 'products')).toEqual(['21']);
  expect(await idsIn(shop, 'coupons')).toEqual(['4']);
});
