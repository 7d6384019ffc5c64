import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { type Rows, cellsOf, writeDump } from '../shops.ts';
import { madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const referral = (referral_id: number, reference: number): Rows[string][number] =>
  cellsOf({
    ...{ referral_id, reference, affiliate_id: 3, parent_id: 0, status: 'unpaid', amount: '1.00' },
    ...{ currency: 'EUR', context: 'woocommerce', payout_id: 0, date: '2024-06-01 10:00:00' },
  });

const key = (id: number, fields: object) =>
  cellsOf({
    ...{ id, license_key: `key-${id}`, product_ref: '501', lic_status: 'active' },
    ...{ email: 'ada@people.example', max_allowed_domains: 1, max_allowed_devices: 0 },
    ...{ date_created: '2024-02-01', date_expiry: '2099-06-30', ...fields },
  });

let shop: Moved;

beforeAll(async () => {
  const membership = { product: 504 };
  const paid = { customer: 3, paid: true, completed: true };
  const tables = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      posts: [
        {
          ...{ id: 504, type: 'product', title: 'Membership' },
          meta: { _price: '10', _virtual: 'yes' },
        },
        { id: 505, type: 'product', title: 'Wrong', meta: { _price: '-5' } },
      ],
      orders: [
        { ...{ id: 10, total: '20.00', lines: [membership, membership] }, ...paid },
        { ...{ id: 20, total: 'nonsense', lines: [membership] }, ...paid },
        { ...{ id: 30, total: '10.00', lines: [membership], renews: 25 }, ...paid },
        { ...{ id: 40, total: '10.00', lines: [{ quantity: '99999999999999999999' }] }, ...paid },
        { ...{ id: 50, total: '10.00', refunds: [{ id: 51, amount: '1.005' }] }, ...paid },
        { ...{ id: 60, total: '10.00', email: 'guest@people.example' }, paid: true },
      ],
      subscriptions: [
        { id: 15, order: 10, products: [504], next: '2099-05-01 10:00:00' },
        { id: 25, order: 20, products: [504], next: '2099-05-01 10:00:00' },
      ],
      more: {
        usermeta: [{ shop_manager: false }, { shop_manager: true }].map((held) =>
          cellsOf({ user_id: 3, meta_key: 'wp_capabilities', meta_value: serialize(held) }),
        ),
        postmeta: [cellsOf({ post_id: 504, meta_key: '_virtual', meta_value: 'no' })],
        affiliate_wp_affiliates: [cellsOf({ affiliate_id: 3, user_id: 3, status: 'active' })],
        affiliate_wp_referrals: [referral(1, 10), referral(2, 15), referral(3, 51)],
        lic_key_tbl: [key(1, { date_expiry: 'soon' }), key(2, { purchase_id_: '15' })],
        lic_reg_domain_tbl: [],
        lic_reg_devices_tbl: [],
      },
    },
    true,
  );
  const dateless = tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) =>
      table.name === 'wp_wc_orders' && row[table.columns.indexOf('id')] === '51'
        ? row.map((cell, i) => (table.columns[i]?.startsWith('date_') ? null : cell))
        : row,
    ),
  }));
  writeDump(dumpPath('nonsense.sql'), dateless);
  shop = await moved(woocommerceImporter, dumpPath('nonsense.sql'));
}, 60_000);

const reasonOf = (entity: string, id: string | number) => shop.reported(entity, id)?.reason;

describe('A subscription', () => {
  test('with two lines for the same product gives access to it until the subscription ends, not for ever', async () => {
    const rows = await shop.query(
      `select end_active::date::text as ends from access_grants
        where user_id = 3 and product_id = 504 and order_id < 20`,
    );
    expect(rows).toEqual([{ ends: '2099-05-01' }]);
  });

  test('whose first order is refused begins with the next one', async () => {
    expect(reasonOf('orders', 20)).toBe('amount-impossible');
    expect(shop.reported('orders', 30)).toMatchObject({ outcome: 'imported' });
    expect(shop.reported('subscriptions', '25-20')).toMatchObject({ outcome: 'refused' });
    expect(shop.reported('subscriptions', '25')).toMatchObject({ targetId: '30' });
    expect(reasonOf('subscriptions', '25')).toContain('renewal-missing');
    expect(
      await shop.query(
        'select first_order_id::int as first, status from subscriptions where id = 25',
      ),
    ).toEqual([{ first: 30, status: 'active' }]);
  });
});

test('A quantity that no order can have becomes 1, and the report says so', async () => {
  expect(await shop.query('select quantity from orders where id = 40')).toEqual([{ quantity: 1 }]);
  expect(reasonOf('orders', 40)).toBe('quantity-impossible');
});

test('A refund without a date gets the date when its order last changed', async () => {
  const rows = await shop.query(
    `select amount::int, created_at = (select updated_at from orders where id = 50) as is_then
       from refunds where order_id = 50`,
  );
  expect(rows).toEqual([{ amount: 101, is_then: true }]);
  expect(reasonOf('orders', 50)).toBe('amount-rounded');
});

test('A referral or a licence key of a missing order is reported as such', () => {
  expect(reasonOf('commissions', 2)).toBe('order-missing');
  expect(reasonOf('commissions', 3)).toBe('order-missing');
  expect(reasonOf('licenses', 2)).toBe('order-missing');
});

test('A licence key whose end is no date is reported as such', () => {
  expect(reasonOf('licenses', 1)).toBe('date-unknown');
});

test('A price below 0 is reported as impossible', () => {
  expect(reasonOf('products', 505)).toContain('value-impossible');
});

test('The first of two equal fields counts, as in WordPress', async () => {
  expect(await shop.query(`select type from products where id = 504`)).toEqual([
    { type: 'digital' },
  ]);
  expect(await shop.query(`select roles from users where id = 3`)).toEqual([
    { roles: ['affiliate', 'member'] },
  ]);
});
