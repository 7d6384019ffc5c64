import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type MadeLine, type MadeOrder, type MadePost, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const next = '2100-01-31 08:00:00';
const end_date = '2100-01-31T08:00:00.000Z';

const every = (period: string, interval = '1') => ({
  ...{ _subscription_period: period, _subscription_period_interval: interval },
});

const product = (id: number, price: string, meta: MadePost['meta'] = {}): MadePost => ({
  ...{ id, type: 'product', title: `Plan ${id}` },
  meta: { _price: price, _regular_price: price, _virtual: 'yes', ...meta },
});

const variation = (id: number, parent: number, price: string, period: string): MadePost => ({
  ...product(id, price, every(period)),
  ...{ type: 'product_variation', parent },
});

const line = (of: number, total: string, variation?: number): MadeLine => ({
  ...{ product: of, total, ...(variation ? { variation } : {}) },
});

const order = (id: number, bought: MadeLine, more: Partial<MadeOrder> = {}): MadeOrder => ({
  ...{ id, customer: 3, paid: true, completed: true, total: `${bought.total}.00` },
  ...{ lines: [bought], ...more },
});

// A monthly and a yearly plan of one product, which the store can't sell.
const [ofAMonth, ofAYear] = [line(510, '10', 511), line(510, '100', 512)];
// A product that was monthly, one of twelve months, and one that no longer is a subscription.
const [former, twelve, ended] = [line(520, '10'), line(530, '100'), line(540, '100')];
const [pro, formerPro] = [line(550, '30', 552), line(550, '25', 552)];

let shop: Moved;
let f: StoreFixture;

beforeAll(async () => {
  const tables = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      posts: [
        ...[
          product(510, '10'),
          variation(511, 510, '10', 'month'),
          variation(512, 510, '100', 'year'),
        ],
        ...[product(520, '100', every('year')), product(530, '100', every('month', '12'))],
        product(540, '100', every('year')),
        ...[
          product(550, '10'),
          variation(551, 550, '10', 'month'),
          variation(552, 550, '30', 'month'),
        ],
      ],
      types: {
        ...{ 510: 'variable-subscription', 520: 'subscription', 530: 'subscription' },
        ...{ 540: 'simple', 550: 'variable-subscription' },
      },
      orders: [
        ...[order(10, ofAMonth), order(20, ofAYear), order(30, former), order(40, twelve)],
        ...[order(50, ended), order(60, pro), order(70, formerPro)],
        order(80, former, { status: 'wc-pending', paid: false, completed: false }),
      ],
      subscriptions: [
        { id: 11, order: 10, lines: [ofAMonth], next, every: [1, 'month'] },
        { id: 21, order: 20, lines: [ofAYear], next, every: [1, 'year'] },
        { id: 31, order: 30, lines: [former], next, every: [1, 'month'] },
        { id: 41, order: 40, lines: [twelve], next, every: [1, 'year'] },
        { id: 51, order: 50, lines: [ended], next, every: [1, 'year'] },
        { id: 61, order: 60, lines: [pro], next, every: [1, 'month'] },
        { id: 71, order: 70, lines: [formerPro], next, every: [1, 'month'] },
        { id: 81, order: 80, lines: [former], status: 'wc-pending', every: [1, 'month'] },
      ],
    },
    true,
  );
  writeDump(dumpPath('periods.sql'), tables);
  shop = await moved(woocommerceImporter, dumpPath('periods.sql'));
  const [began] = await shop.query<{ at: Date }>('select min(started_at) as at from imports');
  shop.store.clock.set(began?.at.toISOString() ?? '');
  f = await StoreFixture.open(shop.store);
}, 60_000);

const read = async (id: number) => (await f.api.get(`/subscriptions/${id}`)).body.data;

const renew = async (id: number) => {
  const { product_id, user_id, order_id } = await read(id);
  return f.api.post('/orders', { product_id, user_id, order_parent_id: order_id });
};

const reasonOf = (id: number) => shop.reported('subscriptions', id)?.reason;

describe('A subscription of WooCommerce', () => {
  test.each([21, 31, 51])(
    'ends with its paid time if its product renews for another period here (%i)',
    async (id) => {
      expect(await read(id)).toMatchObject({
        ...{ status: 'active', end_date, renewable: false },
        scheduled: [{ change: 'cancel', at: end_date, by: 'store' }],
      });
      expect((await renew(id)).body.code).toBe('subscription_not_renewable');
      expect(reasonOf(id)).toBe('charged-elsewhere renews-otherwise');
    },
  );

  test.each([11, 41])('renews if its period is that of its product (%i)', async (id) => {
    expect(await read(id)).toMatchObject({ renewable: true, scheduled: [], end_date });
    expect(reasonOf(id)).toBe('charged-elsewhere');
  });

  test('ends so as well if its first order is paid after the import', async () => {
    expect(reasonOf(81)).toBe('renews-otherwise not-paid');
    expect((await f.api.patch('/orders/80', { status: 'completed' })).status).toBe(200);
    expect(await read(81)).toMatchObject({ status: 'active', renewable: false });
    expect((await renew(81)).body.code).toBe('subscription_not_renewable');
  });

  test('keeps its price if its variation is deleted', async () => {
    const prices = async () =>
      Promise.all([61, 71].map(async (id) => (await read(id)).renew_price));
    expect(await prices()).toEqual([3000, 2500]);
    const { variants } = (await f.api.get('/products/550')).body.data as {
      variants: { options: { id: string }[] }[];
    };
    const kept = variants.map((group) => ({
      ...group,
      options: group.options.filter(({ id }) => id !== '552'),
    }));
    expect((await f.api.patch('/products/550', { variants: kept })).status).toBe(200);
    expect(await prices()).toEqual([3000, 2500]);
    expect((await renew(61)).body.data.grand_total).toBe(3000);
    expect((await renew(71)).body.data.grand_total).toBe(2500);
    await expectIntegrity(f);
  });
});
