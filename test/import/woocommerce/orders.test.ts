import { beforeAll, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import type { woocommerce } from '../../../packages/import/src/woocommerce/source.ts';
import { long } from '../../harness/long.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadeShop, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const made: MadeShop = {
  users: [
    { id: 3, email: 'ada@people.example' },
    { id: 7, email: 'Twice@people.example' },
    { id: 8, email: 'twice@people.example' },
    { id: 9, email: 'no address' },
  ],
  posts: [
    { id: 502, type: 'product', title: 'Shirt', meta: { _price: '20' } },
    {
      ...{ id: 503, type: 'product_variation', title: 'Shirt - Small', parent: 502 },
      meta: { _price: '20', attribute_pa_size: 'small', _manage_stock: 'yes', _stock: '4' },
    },
    {
      ...{ id: 504, type: 'product_variation', title: 'Shirt - Large', parent: 502 },
      meta: { _price: '25.50', attribute_pa_size: 'large' },
    },
    { id: 505, type: 'product', title: 'Set', meta: { _price: '30' } },
    {
      ...{ id: 601, type: 'shop_coupon', title: 'ten' },
      meta: { discount_type: 'percent', coupon_amount: '10', usage_count: '2' },
    },
    {
      ...{ id: 602, type: 'shop_coupon', title: 'friends' },
      meta: {
        ...{ discount_type: 'fixed_cart', coupon_amount: '5', usage_count: '0' },
        customer_email: 'a:1:{i:0;s:16:"*@people.example";}',
      },
    },
    {
      ...{ id: 603, type: 'shop_coupon', title: 'Large ones' },
      meta: { discount_type: 'fixed_product', coupon_amount: '2.50', product_ids: '504,501' },
    },
    {
      ...{ id: 604, type: 'shop_coupon', title: 'prints' },
      meta: { discount_type: 'percent', coupon_amount: '5', product_categories: 'a:1:{i:0;i:9;}' },
    },
  ],
  types: { 502: 'variable', 505: 'grouped' },
  orders: [
    // Two lines that share the shipping cost.
    {
      ...{ id: 10, customer: 3, total: '36.90', shipping: '6.90', paid: true, completed: true },
      lines: [{ total: '10' }, { product: 502, variation: 504, total: '20' }],
      refunds: [{ id: 12, amount: '24.60', lines: { 1: '20' } }],
    },
    // Its parts get the free ids next to it.
    {
      ...{ id: 14, customer: 3, total: '30.00', status: 'wc-processing' },
      lines: [{}, {}, {}],
    },
    { id: 15, customer: 3, total: '10.00', status: 'wc-failed' },
    { id: 18, customer: 3, total: '10.00', status: 'wc-pending' },
    { id: 19, customer: 3, total: '10.00', status: 'wc-packed', paid: true },
    { id: 20, customer: 3, total: '10.00', status: 'wc-checkout-draft' },
    { id: 21, customer: 3, total: '10.00', status: 'trash' },
    { id: 22, customer: 3, total: '10.00', currency: 'USD' },
    { id: 30, email: 'Guest@people.example', total: '10.00' },
    { id: 31, email: ' guest@people.example', total: '10.00' },
    { id: 32, email: 'ada@people.example', total: '10.00' },
    { id: 33, email: '', total: '10.00' },
    { id: 34, email: 'nobody', total: '10.00' },
    { id: 35, customer: 90, total: '10.00' },
    { id: 36, customer: 7, total: '10.00' },
    {
      ...{
        id: 40,
        customer: 3,
        total: '10.00',
        status: 'wc-refunded',
        paid: true,
        completed: true,
      },
      refunds: [{ id: 41, amount: '10.00', lines: { 0: '10' } }],
    },
    { id: 42, customer: 3, total: '10.00', status: 'wc-refunded', paid: true },
    {
      ...{ id: 43, customer: 3, total: '10.00', paid: true, completed: true },
      refunds: [
        { id: 44, amount: '2.50' },
        { id: 45, amount: '1.00' },
      ],
    },
    {
      ...{ id: 50, customer: 3, total: '21.42', coupons: ['TEN'] },
      lines: [{ quantity: '2', subtotal: '20', total: '18', tax: '3.42' }],
    },
    {
      ...{ id: 51, customer: 3, total: '26.00', fee: '-1.00', coupons: ['ten', 'lost'] },
      lines: [
        { subtotal: '10', total: '9' },
        { subtotal: '20', total: '18' },
      ],
    },
    { id: 52, customer: 3, total: '7.50', lines: [{ quantity: '1.5', total: '7.50' }] },
    { id: 53, customer: 3, total: '5.00', lines: [], fee: '5.00' },
    { id: 54, customer: 3, total: '8.00', lines: [{ product: 599, total: '8' }] },
    { id: 55, customer: 3, total: '0.00', gateway: '', lines: [{ total: '0' }] },
    { id: 56, customer: 3, total: '10.00', gateway: 'manual', status: 'wc-on-hold' },
  ],
};

let shop: Moved<typeof woocommerce>;

const answers = { status: 'wc-packed=shipping' };

beforeAll(async () => {
  writeDump(dumpPath('tables.sql'), madeShop(made, true));
  shop = await moved(woocommerceImporter, dumpPath('tables.sql'), answers);
});

const query = (text: string) => shop.query<Record<string, unknown>>(text);

const reportOf = (entity: string, id: number | string) => {
  const row = shop.reported(entity, id);
  return row && [row.outcome, row.targetId, row.reason];
};

test('an order of several products becomes several orders with the same sum', async () => {
  expect(
    await query(
      `select id::int, number, product_id::int, shipping_total::int, grand_total::int, refunded_total::int, status
         from orders where meta #>> '{import,order}' = '10' order by id`,
    ),
  ).toEqual([
    {
      ...{ id: 10, number: '10', product_id: 501, shipping_total: 230, grand_total: 1230 },
      ...{ refunded_total: 0, status: 'completed' },
    },
    // The refund named its goods, and includes their shipping.
    {
      ...{ id: 11, number: '10-2', product_id: 502, shipping_total: 460, grand_total: 2460 },
      ...{ refunded_total: 2460, status: 'refunded' },
    },
  ]);
  expect(reportOf('orders', 10)).toEqual(['split', '10 11', 'several-products refunded-in-full']);
  expect(reportOf('orders', 14)).toEqual(['split', '14 16 17', 'several-products']);
});

test('statuses are the store’s, and orders that nobody placed are left out', async () => {
  expect(
    await query(
      `select o.id::int, status, paid_at is not null as paid, h.note, gateway
         from (select *, payment_gateway as gateway from orders) o join lateral (
         select note from order_history where order_id = o.id order by id desc limit 1) h on true
        where o.id in (14, 15, 18, 19, 42, 56) order by 1`,
    ),
  ).toEqual([
    { id: 14, status: 'in-progress', paid: true, note: null, gateway: 'bacs' },
    { id: 15, status: 'cancelled', paid: false, note: 'wc-failed', gateway: 'bacs' },
    { id: 18, status: 'on-hold', paid: false, note: null, gateway: 'bacs' },
    { id: 19, status: 'shipping', paid: true, note: 'wc-packed', gateway: 'bacs' },
    { id: 42, status: 'refunded', paid: true, note: null, gateway: 'bacs' },
    // A transfer of the same sum would pay it.
    { id: 56, status: 'on-hold', paid: false, note: null, gateway: 'woocommerce' },
  ]);
  expect([20, 21, 22].map((id) => reportOf('orders', id))).toEqual([
    ['left-out', null, 'status-ignored'],
    ['left-out', null, 'status-ignored'],
    ['refused', null, 'other-currency'],
  ]);
});

test('an order on delivery is paid once it is completed, or if the shop says when it was paid', async () => {
  const sold = { email: 'cod@people.example', total: '10.00', gateway: 'cod' };
  const path = dumpPath('cod.sql');
  writeDump(
    path,
    madeShop(
      {
        orders: [
          { ...sold, id: 10, status: 'wc-processing' },
          { ...sold, id: 20, status: 'wc-processing', paid: true },
          { ...sold, id: 30, status: 'wc-processing', refunds: [{ id: 31, amount: '1.00' }] },
          { ...sold, id: 40, status: 'wc-completed', completed: true },
        ],
      },
      true,
    ),
  );
  const imported = await moved(woocommerceImporter, path);
  expect(
    await imported.query('select id::int, paid_at is not null as paid from orders order by id'),
  ).toEqual([{ id: 10, paid: false }, ...[20, 30, 40].map((id) => ({ id, paid: true }))]);
});

test('an unknown status is asked about', () => {
  const { questions } = woocommerceImporter.plan(shop.staging, {});
  expect(questions.map(({ option }) => option)).toEqual(['--status wc-packed=completed']);
});

test('guests are one person per address, or per order without one, with ids above all mentioned ones', async () => {
  const buyers = await query(
    `select o.id::int, u.id::int as buyer, u.email, u.status from orders o join users u on u.id = o.user_id
      where o.id between 30 and 36 order by 1`,
  );
  expect(buyers).toEqual([
    { id: 30, buyer: 91, email: 'guest@people.example', status: 'active' },
    { id: 31, buyer: 91, email: 'guest@people.example', status: 'active' },
    // A buyer with an account is no guest.
    { id: 32, buyer: 3, email: 'ada@people.example', status: 'active' },
    { id: 33, buyer: 92, email: null, status: 'active' },
    { id: 34, buyer: 93, email: null, status: 'active' },
    { id: 35, buyer: 90, email: null, status: 'anonymised' },
    // The account that bought last keeps the address.
    { id: 36, buyer: 7, email: 'twice@people.example', status: 'active' },
  ]);
  expect(reportOf('users', 8)).toEqual(['changed', '8', 'email-taken']);
  expect(reportOf('users', 9)).toEqual(['changed', '9', 'email-impossible']);
  expect(reportOf('users', 90)).toEqual(['placeholder', '90', 'deleted-in-source']);
  expect(reportOf('users', 'guest-30')).toEqual(['changed', '91', 'guest']);
  expect(reportOf('users', 'guest-33')).toEqual(['changed', '92', 'guest email-impossible']);
});

test('a refund is imported with its order, and a refunded order is refunded in full', async () => {
  expect(
    await query(
      `select order_id::int as order, amount::int, reason from refunds where order_id between 40 and 45 order by id`,
    ),
  ).toEqual([
    { order: 40, amount: 1000, reason: 'Broken' },
    { order: 42, amount: 1000, reason: null },
    { order: 43, amount: 250, reason: 'Broken' },
    { order: 43, amount: 100, reason: 'Broken' },
  ]);
  expect(reportOf('orders', 42)).toEqual(['changed', '42', 'refunds-differ']);
});

test('prices, discounts and taxes are those of the line, and amounts without a line are shared', async () => {
  expect(
    await query(
      `select number, quantity, unit_price::int, discount_total::int, tax_total::int, adjustment_total::int,
              grand_total::int, coupon_id::int, coupon_code
         from orders where id between 50 and 52 or meta #>> '{import,order}' = '51' order by id`,
    ),
  ).toEqual([
    {
      ...{ number: '50', quantity: 2, unit_price: 1000, discount_total: 200, tax_total: 342 },
      ...{ adjustment_total: 0, grand_total: 2142, coupon_id: 601, coupon_code: 'TEN' },
    },
    {
      ...{ number: '51', quantity: 1, unit_price: 1000, discount_total: 100, tax_total: 0 },
      ...{ adjustment_total: -33, grand_total: 867, coupon_id: 601, coupon_code: 'TEN' },
    },
    {
      ...{ number: '52', quantity: 2, unit_price: 375, discount_total: 0, tax_total: 0 },
      ...{ adjustment_total: 0, grand_total: 750, coupon_id: null, coupon_code: null },
    },
    // Its coupon was used once.
    {
      ...{ number: '51-2', quantity: 1, unit_price: 2000, discount_total: 200, tax_total: 0 },
      ...{ adjustment_total: -67, grand_total: 1733, coupon_id: null, coupon_code: 'TEN' },
    },
  ]);
  expect(reportOf('orders', 51)).toEqual(['split', '51 57', 'several-products several-coupons']);
  expect(await query('select coupon_id::int, used::int from coupon_usage order by 1')).toEqual([
    { coupon_id: 601, used: 2 },
    { coupon_id: 602, used: 0 },
    { coupon_id: 603, used: 0 },
    { coupon_id: 604, used: 0 },
  ]);
});

test('a line without a product, or with one that is gone, gets a placeholder', async () => {
  expect(
    await query(
      `select o.id::int, p.id::int as product, title, p.deleted_at is not null as deleted
         from orders o join products p on p.id = o.product_id where o.id in (53, 54) order by 1`,
    ),
  ).toEqual([
    { id: 53, product: 605, title: 'Imported items', deleted: true },
    { id: 54, product: 599, title: 'Made-up item', deleted: true },
  ]);
  expect(reportOf('orders', 53)).toEqual(['changed', '53', 'product-unknown quantity-impossible']);
});

test('the variations of a product become its variants, with their surcharges', async () => {
  const [shirt] = await query('select price::int, variants from products where id = 502');
  expect(shirt).toMatchObject({
    price: 2000,
    variants: [
      {
        label: 'size',
        options: [
          { id: '503', label: 'Shirt - Small', extra_price: 0 },
          { id: '504', label: 'Shirt - Large', extra_price: 550 },
        ],
      },
    ],
  });
  expect(await query('select product_id::int, option_id, units::int from product_stock')).toEqual([
    { product_id: 502, option_id: '503', units: 4 },
  ]);
  expect(await query(`select status from products where id = 505`)).toEqual([{ status: 'draft' }]);
});

test('a coupon for some people is switched off if they are not all known', () => {
  expect(reportOf('coupons', 602)).toEqual(['changed', '602', 'switched-off']);
});

test('a coupon for some products is for these, or for no product if none of them was imported', async () => {
  expect(
    await query('select code, status, discount, rule from coupons where id > 602 order by id'),
  ).toMatchObject([
    {
      // In the shop it is for one variation of product 502 only.
      ...{ code: 'LARGE-ONES', status: 'pending' },
      discount: { value: 250, type: 'fixed', usage: 'per_item' },
      rule: { apply_only: [502, 501] },
    },
    { code: 'PRINTS', status: 'pending', discount: { value: 5, type: 'percentage' } },
  ]);
  expect(reportOf('coupons', 603)).toEqual([
    'changed',
    '603',
    'renamed switched-off no-counterpart',
  ]);
  expect(reportOf('coupons', 604)?.[2]).toBe('impossible-settings switched-off no-counterpart');
});

test('a product that the shop ships is reported as one that needs a way of shipping', async () => {
  expect(await query('select type, shipping from products where id = 502')).toMatchObject([
    { type: 'physical', shipping: { active: true, options: [] } },
  ]);
  expect(reportOf('products', 502)).toEqual(['changed', '502', 'shipping-missing']);
});

long(
  'orders that are posts are imported like those in tables, and of a shop that has both only the ones in use',
  async () => {
    const among = madeShop(made, false);
    const left = madeShop({ orders: [{ id: 70, customer: 3, total: '1.00' }] }, true);
    const tables = [
      'wc_orders',
      'wc_order_operational_data',
      'wc_order_addresses',
      'wc_orders_meta',
    ];
    writeDump(dumpPath('posts.sql'), [
      ...among.filter(({ name }) => !tables.includes(name.slice(3))),
      ...left.filter(({ name }) => tables.includes(name.slice(3))),
    ]);
    const posts = await moved(woocommerceImporter, dumpPath('posts.sql'), answers);
    // Placeholders are created by the import.
    for (const rows of [
      `users t where status = 'active'`,
      'products t where deleted_at is null',
      ...['coupons t', 'orders t', 'order_history t', 'refunds t'],
    ]) {
      const read = (one: Moved) => one.query(`select to_jsonb(t) as row from ${rows} order by id`);
      expect(await read(posts)).toEqual(await read(shop));
    }
  },
);

test('new records have ids above the imported ones', async () => {
  const service = await StoreFixture.open(shop.store);
  expect((await service.newUser({ email: 'new@people.example' })).id).toBe(94);
});
