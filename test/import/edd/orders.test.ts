import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type Row, download, eddTables, item, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

const lifetime = { price_id: 2, subtotal: '200.000000000', total: '200.000000000' };

const subscription = (id: number, parent_payment_id: number, fields: Row = {}): Row => ({
  ...{ id, customer_id: 1, period: 'year', parent_payment_id, product_id: 22, price_id: null },
  ...{ created: '2024-03-01 10:05:00', expiration: '2099-05-01 23:59:59', status: 'active' },
  ...{ profile_id: '', ...fields },
});

const renewal = (id: number, parent: number, fields: Row = {}) =>
  order(id, { parent, status: 'edd_subscription', ...fields });

const referral = (referral_id: number, fields: Row): Row => ({
  ...{ referral_id, affiliate_id: 1, parent_id: 0, status: 'unpaid', amount: '5.00' },
  ...{ currency: 'USD', context: 'edd', reference: 1, payout_id: 0, date: '2024-06-01 10:00:00' },
  ...fields,
});

const capabilities = (user_id: number, meta_value: string): Row => ({
  ...{ user_id, meta_key: 'wp_capabilities', meta_value },
});

let shop: Moved<typeof eddImporter.source>;

beforeAll(async () => {
  writeDump(
    dumpPath('orders.sql'),
    eddTables(
      [
        download(21, 'Plugin', { edd_price: '50.00' }),
        download(22, 'Member', { edd_price: '10.00' }),
        download(23, 'Either', {
          _variable_pricing: '1',
          edd_variable_prices: serialize({
            1: { name: 'A year', amount: '50.00' },
            2: { name: 'For ever', amount: '200.00' },
          }),
        }),
        download(24, 'Rounded', { edd_price: '1.005' }),
      ],
      {
        users: [1, 2, 3, 4].map((ID) => ({
          ...{ ID, user_email: `person${ID}@people.example`, display_name: `Person ${ID}` },
          user_registered: '2024-01-01 00:00:00',
        })),
        usermeta: [
          capabilities(1, serialize({ subscriber: true })),
          capabilities(1, serialize({ administrator: true, shop_manager: true })),
          capabilities(2, 'a:1:{s:12:"shop_manager";b:1;'),
          capabilities(3, serialize({ shop_manager: false, administrator: 0 })),
          capabilities(4, 'a:1:{s:11:"constructor";b:1;}'),
        ],
        edd_orders: [
          order(1, { total: '60.000000000' }),
          renewal(2, 1, { total: '10.000000000' }),
          order(3, { total: '250.000000000' }),
          renewal(5, 999),
          order(6, { type: null }),
          order(7, { order_number: '1' }),
          order(8, { user_id: 'nobody', customer_id: 0, email: '' }),
        ],
        edd_order_items: [
          item(1, 1),
          item(2, 1, { product_id: 22, cart_index: 1, subtotal: '10.00', total: '10.00' }),
          item(3, 2, { product_id: 22, subtotal: '10.00', total: '10.00' }),
          item(4, 3, { product_id: 23, ...lifetime }),
          item(5, 3, { product_id: 23, price_id: 1, cart_index: 1 }),
          item(6, 5),
          item(7, 6),
          item(8, 7),
          item(9, 8),
        ],
        edd_subscriptions: [
          subscription(1, 1),
          subscription(2, 3, { product_id: 23, price_id: 1 }),
          subscription(3, 0, { product_id: 21, period: 'constructor' }),
        ],
        affiliate_wp_affiliates: [1, 2, 3].map((id) => ({
          ...{ affiliate_id: id, user_id: id, status: 'active', rate: '' },
        })),
        affiliate_wp_referrals: [
          referral(1, { status: 'draft' }),
          referral(2, { parent_id: 1, affiliate_id: 2 }),
          referral(3, { parent_id: 2, affiliate_id: 3, reference: 1 }),
          referral(4, { reference: '', amount: '7.00' }),
          referral(5, { reference: '', amount: '900', currency: 'JPY' }),
        ],
        affiliate_wp_payouts: [],
        affiliate_wp_coupons: [],
        affiliate_wp_mlm_connections: [],
      },
    ),
  );
  shop = await moved(eddImporter, dumpPath('orders.sql'), { administrators: 'yes' });
}, 60_000);

const open = () =>
  shop.query(
    `select order_id::int as "order", product_id::int as product, end_active::date::text as ends
       from access_grants where status = 'active' order by 1`,
  );

describe('A subscription', () => {
  test('belongs to its own line of an order, and its renewals extend that line', async () => {
    const rows = await shop.query(
      'select id::int, order_parent_id::int as root, type from orders where id = 2',
    );
    const part = shop.reported('orders', 1)?.targetId?.split(' ')[1];
    expect(rows).toEqual([{ id: 2, root: Number(part), type: 'subscription-regular' }]);
    expect(await open()).toContainEqual({ order: Number(part), product: 22, ends: '2099-05-01' });
    expect(await open()).toContainEqual({ order: 1, product: 21, ends: null });
  });

  test('to one price of a product does not change lifetime purchases of it', async () => {
    const [first, second] = (shop.reported('orders', 3)?.targetId ?? '').split(' ');
    expect(await open()).toContainEqual({ order: Number(first), product: 23, ends: null });
    expect(await open()).toContainEqual({ order: Number(second), product: 23, ends: '2099-05-01' });
  });

  test('without a first order takes no other order for its renewal', async () => {
    expect(shop.reported('subscriptions', 3)).toMatchObject({ reason: 'order-missing' });
    const roots = await shop.query('select order_parent_id as root from orders where id in (1, 7)');
    expect(roots).toEqual([{ root: null }, { root: null }]);
  });

  test('that is gone, like its first order, has renewals that stand alone', () => {
    expect(shop.reported('orders', 5)).toMatchObject({
      outcome: 'changed',
      reason: 'parent-missing term-missing',
      targetId: '5',
    });
  });
});

describe('An order', () => {
  test('that is neither a sale nor a refund is refused, not passed over', () => {
    expect(shop.reported('orders', 6)).toMatchObject({
      outcome: 'refused',
      reason: 'value-impossible',
    });
  });

  test('with the number of an earlier one gets a number of its own', async () => {
    expect(await shop.query('select number from orders where id in (1, 7) order by id')).toEqual([
      { number: '1' },
      { number: '1 (7)' },
    ]);
    expect(shop.reported('orders', 7)).toMatchObject({ reason: 'renamed' });
  });

  test('of an unknown buyer gets a user of its own', () => {
    expect(shop.reported('orders', 8)?.outcome).toBe('imported');
    expect(shop.reported('users', 'guest-8')?.reason).toBe('guest email-impossible');
  });
});

test('A price with more decimals than the currency is rounded, and the report says so', () => {
  expect(shop.reported('products', 24)).toMatchObject({ reason: 'amount-rounded' });
});

test('A second, malformed or false entry gives nobody a role', async () => {
  expect(await shop.query(`select roles from users where id <= 4 order by id`)).toEqual([
    ...[1, 2, 3].map(() => ({ roles: ['affiliate', 'member'] })),
    { roles: ['member'] },
  ]);
  expect(shop.reported('users', 2)).toMatchObject({ reason: 'unreadable-details' });
});

test('A referral under one that is a draft keeps its tier', async () => {
  expect(
    await shop.query('select id::int, tier::int from commissions where id <= 3 order by id'),
  ).toEqual([
    { id: 2, tier: 2 },
    { id: 3, tier: 3 },
  ]);
});

test('The debt to an affiliate is in the currency that it was earned in', () => {
  const owed = [...eddImporter.owed(shop.staging, eddImporter.plan(shop.staging, {}).plan)];
  expect(owed).toEqual([
    { userId: '1', kind: 'referral', amount: 700, currency: 'USD' },
    { userId: '1', kind: 'referral', amount: 900, currency: 'JPY' },
  ]);
});
