import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { formOf } from '../../harness/client.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadeLine, type MadeOrder, type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const next = '2100-01-31 08:00:00';
const end_date = '2100-01-31T08:00:00.000Z';
const monthly = { _subscription_period: 'month', _subscription_period_interval: '1' };

const variation = (id: number, price: string): MadePost => ({
  ...{ id, type: 'product_variation', title: `Plan ${id}`, parent: 510 },
  meta: { ...monthly, _price: price, _regular_price: price, _virtual: 'yes' },
});

const basic: MadeLine = { product: 510, variation: 511, total: '10' };
const pro: MadeLine = { product: 510, variation: 512, total: '30' };
const seats = (quantity: number): MadeLine => ({
  ...{ product: 520, quantity: String(quantity), total: String(10 * quantity) },
});

const order = (id: number, lines: readonly MadeLine[], more: Partial<MadeOrder> = {}) => ({
  ...{ id, customer: 3, paid: true, completed: true, lines },
  total: lines.reduce((sum, line) => sum + Number(line.total), 0).toFixed(2),
  ...more,
});

let shop: Moved;
let f: StoreFixture;

beforeAll(async () => {
  const every = [1, 'month'] as const;
  const tables = madeShop(
    {
      users: [
        { id: 3, email: 'ada@people.example' },
        { id: 4, email: 'grace@people.example' },
      ],
      posts: [
        { id: 510, type: 'product', title: 'Plan', meta: { _price: '10' } },
        ...[variation(511, '10'), variation(512, '30')],
        {
          ...{ id: 520, type: 'product', title: 'Seats' },
          meta: { ...monthly, _price: '10', _regular_price: '10', _virtual: 'yes' },
        },
      ],
      types: { 510: 'variable-subscription', 520: 'subscription' },
      orders: [
        // From basic to pro, with a price for the rest of the month.
        order(10, [basic], { customer: 4 }),
        order(110, [{ ...pro, total: '20' }], { customer: 4, switches: 11 }),
        order(210, [pro], { customer: 4, renews: 11 }),
        // To pro, and back.
        order(20, [basic]),
        order(120, [{ ...pro, total: '20' }], { switches: 21 }),
        order(220, [{ ...basic, total: '0' }], { switches: 21 }),
        // The shop changed the number of seats by hand, beside a plan that stayed.
        order(30, [seats(1), basic]),
        order(130, [seats(5), basic], { renews: 31 }),
        // As before, but not renewed since.
        order(40, [seats(1)]),
        // At former prices.
        order(60, [{ ...seats(2), total: '16' }]),
        order(70, [{ ...pro, total: '25' }]),
        order(80, [{ ...pro, total: '15' }]),
        // With a coupon.
        order(90, [{ ...seats(1), subtotal: '10', total: '4' }]),
        // Two plans with subscriptions of their own.
        order(50, [basic, pro]),
      ],
      subscriptions: [
        { id: 11, order: 10, lines: [pro], next, every },
        { id: 21, order: 20, lines: [basic], next, every },
        { id: 31, order: 30, lines: [seats(5), basic], next, every },
        { id: 41, order: 40, lines: [seats(5)], next, every },
        { id: 61, order: 60, lines: [{ ...seats(2), total: '16' }], next, every },
        { id: 71, order: 70, lines: [{ ...pro, total: '25' }], next, every },
        { id: 81, order: 80, lines: [{ ...pro, total: '15' }], next, every },
        { id: 91, order: 90, lines: [{ ...seats(1), subtotal: '10', total: '4' }], next, every },
        { id: 51, order: 50, lines: [pro], next, every },
        { id: 52, order: 50, lines: [basic], next, every },
      ],
    },
    true,
  );
  writeDump(dumpPath('switched.sql'), tables);
  shop = await moved(woocommerceImporter, dumpPath('switched.sql'));
  const [began] = await shop.query<{ at: Date }>('select min(started_at) as at from imports');
  shop.store.clock.set(began?.at.toISOString() ?? '');
  f = await StoreFixture.open(shop.store);
}, 60_000);

async function read(id: number) {
  const { data } = (await f.api.get(`/subscriptions/${id}`)).body;
  return { ...data, root: data.order_parent_id ?? data.order_id };
}

/** Renews a subscription, and returns the order. */
async function renewed(id: number) {
  const { product_id, user_id, root } = await read(id);
  const renewal = { product_id, user_id, order_parent_id: root };
  const { quantity, variants, grand_total } = (await f.api.post('/orders', renewal)).body.data;
  const options = variants.map(({ option_id }: { option_id: string }) => option_id);
  return { quantity, options, grand_total };
}

const parentsOf = (...ids: number[]) =>
  shop.query(
    'select id::int, order_parent_id::int as parent from orders where id = any($1) order by id',
    [ids],
  );

describe('A subscription of WooCommerce renews at its present line', () => {
  test('if it switched to another variation, and hangs on the order that switched it', async () => {
    expect(await read(11)).toMatchObject({ root: 110, renew_price: 3000, end_date });
    expect(await renewed(11)).toEqual({ quantity: 1, options: ['512'], grand_total: 3000 });
    expect(await parentsOf(10, 110, 210)).toEqual([
      ...[
        { id: 10, parent: 110 },
        { id: 110, parent: null },
        { id: 210, parent: 110 },
      ],
    ]);
  });

  test('and gives the files of that variation', async () => {
    for (const option_id of ['511', '512']) {
      const file = new File(['x'], `${option_id}.zip`);
      await f.api.post('/files', formOf({ product_id: 510, option_id, file }));
    }
    const session = await shop.store.session(4);
    const { data } = (await session.get('/me/access/510/files')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['512.zip']);
  });

  test('if it switched back', async () => {
    expect(await read(21)).toMatchObject({ root: 20, renew_price: 1000, end_date });
    expect(await renewed(21)).toEqual({ quantity: 1, options: ['511'], grand_total: 1000 });
  });

  test('if the shop changed its quantity by hand, and other lines stayed as they were', async () => {
    expect(await read(31)).toMatchObject({ root: 130, renew_price: 5000, end_date });
    expect(await renewed(31)).toEqual({ quantity: 5, options: [], grand_total: 5000 });
    expect(await parentsOf(30, 32, 130, 131)).toEqual([
      ...[
        { id: 30, parent: 130 },
        { id: 32, parent: null },
      ],
      ...[
        { id: 130, parent: null },
        { id: 131, parent: 32 },
      ],
    ]);
  });

  test('if another subscription has another variation of its order', async () => {
    expect((await read(51)).renew_price).toBe(3000);
    expect((await read(52)).renew_price).toBe(1000);
  });

  test('for the price of that line, or the report says otherwise', async () => {
    const ids = [11, 61, 71, 81, 91];
    const prices = ids.map(async (id) => (await read(id)).renew_price);
    expect(await Promise.all(prices)).toEqual([3000, 1600, 2500, 3000, 1000]);
    expect(await renewed(71)).toEqual({ quantity: 1, options: ['512'], grand_total: 2500 });
    expect(ids.map((id) => shop.reported('subscriptions', id)?.reason)).toEqual([
      ...['charged-elsewhere', 'charged-elsewhere', 'charged-elsewhere'],
      ...['charged-elsewhere renewal-price', 'charged-elsewhere renewal-coupon'],
    ]);
  });

  test('for a price with tax, if the prices of the shop include it', async () => {
    const line = { product: 501, total: '8.4034', tax: '1.5966' };
    const every = [1, 'month'] as const;
    const tables = madeShop(
      {
        users: [{ id: 3, email: 'ada@people.example' }],
        options: { woocommerce_prices_include_tax: 'yes' },
        orders: [order(10, [line], { total: '10.00' }), order(20, [line], { total: '10.00' })],
        subscriptions: [
          { id: 11, order: 10, lines: [line], next, every },
          { id: 21, order: 20, lines: [{ ...line, total: '6.7227', tax: '1.2773' }], next, every },
        ],
      },
      true,
    );
    writeDump(dumpPath('taxed.sql'), tables);
    const taxed = await moved(woocommerceImporter, dumpPath('taxed.sql'));
    expect(await taxed.query('select next_price::int from subscriptions order by id')).toEqual([
      { next_price: null },
      { next_price: 800 },
    ]);
    expect(taxed.reported('subscriptions', 11)?.reason).toBe('charged-elsewhere');
  });

  test('and is not renewed, as the report says, if no order of it has that line', async () => {
    expect(await read(41)).toMatchObject({
      ...{ status: 'active', end_date, renewable: false },
      scheduled: [{ change: 'cancel', at: end_date, by: 'store' }],
    });
    expect(shop.reported('subscriptions', 41)?.reason).toContain('renews-otherwise');
    expect(shop.reported('subscriptions', 11)?.reason).toBe('charged-elsewhere');
  });

  test('and keeps its access if the order that switched it is refunded', async () => {
    expect((await f.api.post('/orders/110/refunds', {})).status).toBe(201);
    expect(await read(11)).toMatchObject({ status: 'active', end_date });
    await expectIntegrity(f);
  });
});
