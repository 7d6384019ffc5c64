import { beforeAll, describe, expect, test } from 'vitest';
import { sejoliImporter } from '../../../packages/import/src/sejoli/index.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { order, sejoliTables, timeOf, user } from './shop.ts';

const { dumpPath, moved } = useMoves();

const never = '0000-00-00 00:00:00';

const membership = (id: number, fields: object = {}) =>
  order(id, {
    type: 'subscription-regular',
    product_id: 102,
    grand_total: '100000.00',
    status: 'completed',
    ...fields,
  });

const term = (order_id: number, order_parent_id: string) => ({
  ID: order_id,
  created_at: timeOf(0),
  updated_at: never,
  deleted_at: never,
  order_id,
  order_parent_id,
  user_id: 1,
  product_id: 102,
  type: 'regular',
  end_date: '2024-01-31 12:00:00',
  status: 'active',
});

const waiting = (id: number, fields: object) =>
  order(id, { status: 'on-hold', ...fields }, { manual: { unique_code: 5 } });

const licence = (id: number, code: string, string: string) => ({
  ...{ ID: id, created_at: timeOf(0), updated_at: never, deleted_at: never, status: 'active' },
  ...{ order_id: 1, user_id: 1, product_id: 101, code, string },
});

const orders = [
  order(1, {}, { ppn: '-100' }),
  order(2, {}, { ppn: '-11' }),
  order(3, {}, { shipping_data: { courier: 'JNE', service: 'REG', cost: -20_000 } }),
  order(4, {}, { markup_price: -5000 }),
  order(5, {}, { variants: [{ type: 'size', label: 'XL', raw_price: 0, weight: '1e999' }] }),
  waiting(11, { grand_total: '350005.40' }),
  waiting(12, { grand_total: '350005.00' }),
  waiting(13, { grand_total: '350005.00', status: 'wc-waiting' }),
  order(14, { status: 'on-hold', grand_total: '1000.00', payment_gateway: '' }),
  order(15, { status: 'on-hold', grand_total: '2000.00', payment_gateway: 'manual:bca' }),
  membership(21, { created_at: never }),
  membership(22, { order_parent_id: 21 }),
  membership(23, { order_parent_id: 22 }),
  membership(31),
  membership(32, { order_parent_id: 31 }),
];

let shop: Moved<typeof sejoliImporter.source>;

beforeAll(async () => {
  const path = dumpPath('nonsense.sql');
  writeDump(
    path,
    sejoliTables([user(1)], {
      sejolisa_orders: orders,
      // Two spellings of the same first order.
      sejolisa_subscriptions: [term(31, '0'), term(32, '031')],
      sejolisa_licenses: [licence(1, '\tKey-1', 'a.example'), licence(2, 'key-1\r\n', '\t')],
    }),
  );
  shop = await moved(sejoliImporter, path, { status: 'wc-waiting=on-hold' });
}, 60_000);

describe('An order with an impossible', () => {
  test.each([1, 2])('tax has no tax, and its goods are the rest of the total (%i)', async (id) => {
    const rows = await shop.query(
      'select subtotal::int, tax_total::int, adjustment_total::int from orders where id = $1',
      [id],
    );
    expect(rows).toEqual([{ subtotal: 350_000, tax_total: 0, adjustment_total: 0 }]);
  });

  test.each([3, 4])('cost has an undivided total (%i)', async (id) => {
    const rows = await shop.query(
      'select subtotal::int, shipping_total::int, fee_total::int from orders where id = $1',
      [id],
    );
    expect(rows).toEqual([{ subtotal: 350_000, shipping_total: 0, fee_total: 0 }]);
    expect(shop.reported('orders', id)).toMatchObject({ reason: 'lines-unknown' });
  });

  test('weight weighs 0', async () => {
    const rows = await shop.query(
      `select variants -> 0 -> 'extra_weight' as weight from orders where id = 5`,
    );
    expect(rows).toEqual([{ weight: 0 }]);
  });
});

describe('An open order', () => {
  test('has no code if another one rounds to the same amount, or if it is open only by an answer of the owner', async () => {
    const rows = await shop.query(
      `select id::int, payment_gateway, unique_code::int from orders
        where id between 11 and 13 order by id`,
    );
    expect(rows).toEqual([
      { id: 11, payment_gateway: 'manual', unique_code: 5 },
      { id: 12, payment_gateway: 'sejoli', unique_code: 0 },
      { id: 13, payment_gateway: 'sejoli', unique_code: 0 },
    ]);
    expect(shop.reported('orders', 12)?.reason).toContain('figure-taken');
  });

  test.each([14, 15])(
    'without a code waits for no transfer, whatever its gateway (%i)',
    async (id) => {
      const rows = await shop.query('select payment_gateway from orders where id = $1', [id]);
      expect(rows).toEqual([{ payment_gateway: 'sejoli' }]);
      expect(shop.reported('orders', id)?.reason).toContain('no-own-figure');
    },
  );
});

test('A licence’s code loses all kinds of blanks around it, so that two spellings become one licence', async () => {
  expect(
    await shop.query(
      `select id::int, code, array(select string from license_activations a where a.license_id = l.id) as places
         from licenses l`,
    ),
  ).toEqual([{ id: 1, code: 'Key-1', places: ['a.example'] }]);
  expect(shop.reported('licenses', 2)).toMatchObject({
    ...{ targetId: '1', reason: 'joined code-read-alike', detail: '1' },
  });
});

describe('A chain', () => {
  test('continues without a refused first order', async () => {
    const rows = await shop.query(
      'select id::int, order_parent_id::int as first from orders where id in (21, 22, 23) order by id',
    );
    expect(rows).toEqual([
      { id: 22, first: null },
      { id: 23, first: 22 },
    ]);
    expect(shop.reported('orders', 21)).toMatchObject({ reason: 'date-unknown' });
    expect(shop.reported('orders', 22)?.reason).toContain('parent-missing');
  });

  test('is one subscription, whatever its rows say of its first order', async () => {
    const rows = await shop.query(
      'select first_order_id::int as first, order_id::int as last from subscriptions',
    );
    expect(rows).toHaveLength(1);
    expect(rows).toMatchObject([{ first: 31 }]);
    expect(shop.reported('subscriptions', 32)?.outcome).not.toBe('refused');
  });
});
