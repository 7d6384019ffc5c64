import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { sejoliImporter } from '../../../packages/import/src/sejoli/index.ts';
import { verify } from '../../../packages/import/src/verify.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { commission, order, sejoliTables, timeOf, user } from './shop.ts';

const { dumpPath, moved } = useMoves();

const never = '0000-00-00 00:00:00';

const coupon = (id: number, code: string, fields: object = {}) => ({
  ID: id,
  created_at: timeOf(0),
  updated_at: never,
  deleted_at: never,
  user_id: 0,
  coupon_parent_id: 0,
  code,
  rule: serialize({ use_by_affiliate: true, limit_affiliate_coupon: 0, max_discount: 0 }),
  discount: serialize({ value: 10, type: 'percentage', usage: 'total', free_shipping: false }),
  usage: 0,
  limit_use: 0,
  limit_date: null,
  status: 'active',
  ...fields,
});

const shipping = {
  courier: 'JNE',
  service: 'REG',
  cost: 20_000,
  receiver: 'Dewi',
  address: 'Jl. 1',
};

const log = (to: string, date: string, from: string) => ({
  new_status: to,
  old_status: from,
  update_date: date,
});

const shirt = { product_id: 103, quantity: 2 };

const orders = [
  // 2 × (120,000 + 15,000) − 10,000 = 260,000; 11 % of it 28,600; shipping 20,000; code 17.
  order(
    1,
    { ...shirt, coupon_id: 1, grand_total: '308617.00', status: 'completed' },
    {
      manual: { unique_code: 17 },
      variants: [{ type: 'size', label: 'XL', raw_price: 15_000, weight: 0 }],
      ppn: '11',
      shipping_data: shipping,
      coupon: { coupon: 'HEMAT', discount: 10_000, free_shipping: false },
    },
  ),
  // Free shipping counts as a discount, and its cost as nothing.
  order(
    2,
    { product_id: 103, grand_total: '120000.00', coupon_id: 1 },
    {
      shipping_data: shipping,
      free_shipping: true,
      coupon: { coupon: 'HEMAT', discount: 20_000, free_shipping: true },
    },
  ),
  // The parts sum to more than the total.
  order(3, { grand_total: '1000.00' }, { shipping_data: shipping }),
  order(
    4,
    { status: 'refunded' },
    {
      status_log: {
        order_id: '',
        a: log('completed', '10-01-2023 09:00:00', 'on-hold'),
        b: log('refunded', '20-01-2023 09:00:00', 'completed'),
      },
    },
  ),
  order(5, { status: 'on-hold', grand_total: '350005.00' }, { manual: { unique_code: 5 } }),
  order(6, { status: 'on-hold', grand_total: '350005.00' }, { manual: { unique_code: 5 } }),
  order(7, { user_id: 77, product_id: 999, affiliate_id: 78 }),
  order(8, { grand_total: 'a lot' }),
  order(9, { created_at: never }),
  order(10, { deleted_at: timeOf(30_000), status: 'on-hold' }),
  order(11, { coupon_id: 40 }),
  { ...order(12), meta_data: 'a:1:{s:4' },
  order(13, { type: 'subscription-signup', product_id: 102, grand_total: '150000.00' }),
  order(14, {
    type: 'subscription-regular',
    product_id: 102,
    grand_total: '100000.00',
    order_parent_id: 13,
  }),
  order(15, {
    type: 'subscription-regular',
    product_id: 102,
    grand_total: '100000.00',
    order_parent_id: 500,
  }),
  order(16, { affiliate_id: 2 }),
  order(17, { affiliate_id: 2, status: 'cancelled' }),
  order(18, { affiliate_id: 2, status: 'on-hold' }),
];

let shop: Moved<typeof sejoliImporter.source>;

beforeAll(async () => {
  const path = dumpPath('sejoli.sql');
  const people = [
    user(1, { _affiliate_id: '2', _user_group: '90' }),
    user(2, { _affiliate_id: '3' }),
    user(3, { _affiliate_id: '2', _user_group: '91' }),
    user(4, { _affiliate_id: '404' }),
  ];
  const twin = user(5);
  const term = (ID: number, order_id: number, fields: object) => ({
    ID,
    created_at: timeOf(0),
    updated_at: never,
    deleted_at: never,
    order_id,
    order_parent_id: 0,
    user_id: 1,
    product_id: 102,
    type: 'regular',
    end_date: '2024-01-31 12:00:00',
    status: 'active',
    ...fields,
  });
  writeDump(
    path,
    sejoliTables(
      [...people, { ...twin, user: { ...twin.user, user_email: ' BUYER1@mail.example' } }],
      {
        sejolisa_orders: orders,
        sejolisa_coupons: [
          coupon(1, 'HEMAT', { usage: 2 }),
          coupon(2, 'hemat-dewi', { coupon_parent_id: 1, user_id: 2 }),
          coupon(3, '12345', { coupon_parent_id: 99 }),
          coupon(4, 'TWICE', { usage: 2, limit_use: 2 }),
          coupon(5, 'TEMPLATE', { usage: 2, limit_use: 2 }),
          coupon(6, 'USED-COPY', { usage: 2, coupon_parent_id: 5, user_id: 2 }),
          coupon(7, 'FRESH-COPY', { usage: 1, coupon_parent_id: 5, user_id: 2 }),
        ],
        sejolisa_affiliates: [
          commission(1, { order_id: 16, affiliate_id: 2, status: 'added', paid_status: 1 }),
          commission(2, {
            order_id: 16,
            affiliate_id: 3,
            status: 'pending',
            tier: 2,
            commission: '10000.00',
          }),
          commission(3, { order_id: 17, affiliate_id: 2, status: 'added' }),
          commission(4, { order_id: 18, affiliate_id: 2, status: 'pending' }),
          commission(5, { order_id: 404, affiliate_id: 2 }),
          commission(6, { order_id: 1, affiliate_id: 78, commission: '999999999.00' }),
          commission(7, { order_id: 11, affiliate_id: 2, status: 'cancelled', paid_status: 1 }),
        ],
        sejolisa_subscriptions: [
          term(1, 13, { type: 'signup' }),
          term(2, 14, { order_parent_id: 13, end_date: '2099-03-15 12:00:00' }),
          term(3, 404, {}),
        ],
      },
    ),
  );
  shop = await moved(sejoliImporter, path);
}, 60_000);

const orderRow = async (id: number) =>
  (
    await shop.query<Record<string, unknown>>(
      `select status, unit_price::int, subtotal::int, variant_total::int, discount_total::int, tax_total::int,
              shipping_total::int, unique_code::int, adjustment_total::int, grand_total::int, payment_gateway
         from orders where id = $1`,
      [id],
    )
  )[0];

describe('The parts of a total', () => {
  test('are distinguished: goods, variants, discount, tax, shipping and code', async () => {
    expect(await orderRow(1)).toMatchObject({
      ...{ unit_price: 120_000, subtotal: 240_000, variant_total: 30_000, discount_total: 10_000 },
      ...{ tax_total: 28_600, shipping_total: 20_000, unique_code: 17, adjustment_total: 0 },
      grand_total: 308_617,
    });
  });

  test('include no shipping cost if shipping was free', async () => {
    expect(await orderRow(2)).toMatchObject({
      ...{ subtotal: 120_000, discount_total: 0, shipping_total: 0, grand_total: 120_000 },
    });
  });

  test('are a single amount if they exceed the total, or are unreadable', async () => {
    expect(await orderRow(3)).toMatchObject({ subtotal: 1000, shipping_total: 0 });
    expect(shop.reported('orders', 3)?.reason).toBe('lines-unknown');
    expect(await orderRow(12)).toMatchObject({ subtotal: 350_000 });
    expect(shop.reported('orders', 12)?.reason).toBe('unreadable-details');
  });
});

describe('An order', () => {
  test('has the history of the shop’s log', async () => {
    const rows = await shop.query<{ to: string; at: string }>(
      `select "to", at at time zone 'Asia/Jakarta' as at from order_history where order_id = 4 order by id`,
    );
    expect(rows.map(({ to }) => to)).toEqual(['on-hold', 'completed', 'refunded']);
    const [refund] = await shop.query<{ amount: string }>(
      'select amount from refunds where order_id = 4',
    );
    expect(refund?.amount).toBe('350000');
  });

  test('waits for a transfer with its code, unless another open order has the same total', async () => {
    expect(await orderRow(5)).toMatchObject({ unique_code: 5, payment_gateway: 'manual' });
    expect(await orderRow(6)).toMatchObject({ unique_code: 0, payment_gateway: 'sejoli' });
    expect(shop.reported('orders', 6)?.reason).toContain('figure-taken');
  });

  test('of deleted people and products keeps their ids, without their names', async () => {
    const [row] = await shop.query(
      `select u.id, u.status, u.email, p.id as product, p.deleted_at is not null as gone, o.affiliate_id
         from orders o join users u on u.id = o.user_id join products p on p.id = o.product_id where o.id = 7`,
    );
    expect(row).toEqual({
      ...{ id: '77', status: 'anonymised', email: null, product: '999', gone: true },
      affiliate_id: '78',
    });
    // No new id was ever another person's.
    const [next] = await shop.query<{ last_value: string }>('select last_value from users_id_seq');
    expect(Number(next?.last_value)).toBe(404);
  });

  test.each([
    [8, 'refused', 'amount-impossible'],
    [9, 'refused', 'date-unknown'],
    [10, 'changed', 'no-own-figure deleted'],
    [11, 'changed', 'coupon-missing'],
    [15, 'changed', 'term-missing parent-missing'],
  ])('that is damaged (%i) is %s: %s', (id, outcome, reason) => {
    expect(shop.reported('orders', id)).toMatchObject({ outcome, reason });
  });
});

describe('Two people', () => {
  test('who sponsor each other in a circle: one of them loses the sponsor', async () => {
    const rows = await shop.query('select id, affiliate_id from users where id <= 4 order by id');
    expect(rows).toEqual([
      { id: '1', affiliate_id: '2' },
      { id: '2', affiliate_id: '3' },
      { id: '3', affiliate_id: null },
      { id: '4', affiliate_id: null },
    ]);
    expect(shop.reported('users', 3)?.reason).toBe('sponsor-cycle group-missing');
    expect(shop.reported('users', 4)?.reason).toBe('sponsor-missing');
  });

  test('with the same address: the one who ordered last keeps it', async () => {
    const rows = await shop.query('select id, email from users where id in (1, 5) order by id');
    expect(rows).toEqual([
      { id: '1', email: 'buyer1@mail.example' },
      { id: '5', email: null },
    ]);
    expect(shop.reported('users', 5)?.reason).toBe('email-taken');
  });
});

describe('Coupons', () => {
  test('keep their copies; a code that could be an id is changed', async () => {
    const rows = await shop.query(
      'select code, coupon_parent_id as parent, status from coupons where id < 4 order by id',
    );
    expect(rows).toEqual([
      { code: 'HEMAT', parent: null, status: 'active' },
      { code: 'HEMAT-DEWI', parent: '1', status: 'active' },
      { code: 'C-12345', parent: null, status: 'pending' },
    ]);
    expect(shop.reported('coupons', 3)?.reason).toBe('renamed parent-missing');
  });

  test('stay unusable if they are used up in the shop; one with copies is reported', async () => {
    const rows = await shop.query<{ id: string; status: string }>(
      'select id, status from coupons where id >= 4 order by id',
    );
    const reported = rows.map(({ id, status }) => [status, shop.reported('coupons', id)?.reason]);
    expect(reported).toEqual([
      ['pending', 'switched-off uses-differ'],
      ['active', 'usable-again uses-differ'],
      ['pending', 'switched-off uses-differ'],
      ['active', 'uses-differ'],
    ]);
  });
});

describe('Commissions', () => {
  test.each([
    [1, 'added', true, undefined],
    // Its order is completed.
    [2, 'added', false, 'repaired-status'],
    [3, 'cancelled', false, 'closed-order'],
    [4, 'pending', false, undefined],
    [6, 'added', false, 'other-product beside-the-rules'],
    [7, 'cancelled', false, 'was-paid'],
  ])(
    'have our statuses: %i is %s, paid: %s, reason in the report: %s',
    async (id, status, isPaid, reason) => {
      const [row] = await shop.query<{ status: string; paid_at: Date | null }>(
        'select status, paid_at from commissions where id = $1',
        [id],
      );
      expect([row?.status, row?.paid_at !== null]).toEqual([status, isPaid]);
      expect(shop.reported('commissions', id)?.reason ?? undefined).toBe(reason);
    },
  );

  test('of a missing order are refused', () => {
    expect(shop.reported('commissions', 5)).toMatchObject({
      outcome: 'refused',
      reason: 'order-missing',
    });
  });
});

describe('Subscriptions', () => {
  test('keep their end, and give access until then', async () => {
    const [row] = await shop.query(
      `select s.status, s.end_date = g.end_active as same, g.status as access,
              (s.end_date at time zone 'Asia/Jakarta')::text as ends
         from subscriptions s join access_grants g on g.subscription_id = s.id`,
    );
    expect(row).toEqual({
      status: 'active',
      same: true,
      access: 'active',
      ends: '2099-03-15 12:00:00',
    });
    expect(shop.reported('subscriptions', 3)?.outcome).toBe('refused');
  });
});

describe('The comparison', () => {
  test.each([
    ['orders', 'update orders set affiliate_id = 4 where id = 13', '13 affiliate'],
    ['orders', `update orders set created_at = '2020-01-01' where id = 13`, '13 month'],
    [
      'orders',
      'update orders set grand_total = grand_total + 1, fee_total = fee_total + 1 where id = 13',
      '13 amount',
    ],
    ['users', 'update users set affiliate_id = null where id = 1', '1 sponsor'],
    ['coupons', 'update coupon_usage set used = used + 1 where coupon_id = 2', '2 uses'],
    ['commissions', 'update commissions set commission = commission - 1 where id = 4', '4 amount'],
    ['commissions', 'delete from commissions where id = 4', '4 '],
    [
      'subscriptions',
      `update subscription_terms set until = until + interval '1 second' where order_id = 14`,
      '2 ends',
    ],
  ])('detects another result for %s: %s', async (entity, damage, example) => {
    const { database } = shop.store;
    const { plan } = sejoliImporter.plan(shop.staging, {});
    await database.query('begin');
    await database.query(damage);
    const comparisons = await verify(asWithin(database), sejoliImporter, shop.staging, plan);
    await database.query('rollback');
    const found = comparisons.find((one) => one.entity === entity);
    expect([found?.unexplained, found?.examples[0]]).toEqual([1, example]);
  });
});

/** Makes a connection take part in the test's transaction instead of opening one of its own. */
function asWithin(database: Moved['store']['database']): Moved['store']['database'] {
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target) as unknown;
      return (text: string, values?: unknown[]) =>
        /^(begin|rollback)/.test(text) ? target.query('select 1') : target.query(text, values);
    },
  });
}
