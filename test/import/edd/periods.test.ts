import { serialize } from 'php-serialize';
import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type Row, download, eddTables, item, options, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

const end_date = '2099-03-01T10:05:00.000Z';

const recurring = (edd_price: string, edd_period: string) => ({
  ...{ edd_price, edd_recurring: 'yes', edd_period, edd_times: '0' },
});

const priced = (
  ...prices: readonly (readonly [name: string, amount: string, period: string])[]
) => ({
  _variable_pricing: '1',
  edd_variable_prices: serialize(
    Object.fromEntries(
      prices.map(([name, amount, period], i) => [
        i + 1,
        { ...{ name, amount, period, recurring: 'yes' }, ...{ times: '0', signup_fee: '0' } },
      ]),
    ),
  ),
});

const bought = (id: number, product_id: number, amount: string, price_id: string | null = null) =>
  item(id, id, { ...{ product_id, price_id, amount }, ...{ subtotal: amount, total: amount } });

const subscription = (id: number, sold: Row, period: string): Row => ({
  ...{ id, customer_id: 1, period, parent_payment_id: sold['order_id'] ?? null },
  ...{ product_id: sold['product_id'] ?? null, price_id: sold['price_id'] ?? null },
  ...{ created: '2024-03-01 10:05:00', expiration: '2099-03-01 10:05:00', status: 'active' },
  profile_id: '',
});

/** Settings with which downloads end with their subscription, as they do here. */
const limited = serialize({ currency: 'USD', recurring_download_limit: '1' });

let shop: Moved;
let f: StoreFixture;

beforeAll(async () => {
  const ids = [1, 2, 3, 4, 5, 6];
  const lines = [
    ...[bought(1, 21, '10', '1'), bought(2, 21, '100', '2'), bought(3, 22, '10')],
    ...[bought(4, 23, '100'), bought(5, 24, '100'), bought(6, 25, '15', '2')],
  ];
  const periods = ['month', 'year', 'month', 'year', 'year', 'month'];
  const tables = eddTables(
    [
      download(21, 'Club', priced(['Monthly', '10', 'month'], ['Yearly', '100', 'year'])),
      download(22, 'Yearly now', recurring('100', 'year')),
      download(23, 'Yearly', recurring('100', 'year')),
      download(24, 'Sold once now', { edd_price: '100' }),
      download(25, 'Plan', priced(['Basic', '10', 'month'], ['Pro', '30', 'month'])),
    ],
    {
      options: [...options, { option_name: 'edd_settings', option_value: limited }],
      edd_orders: ids.map((id) => order(id)),
      edd_order_items: lines,
      edd_subscriptions: lines.map((sold, i) => subscription(31 + i, sold, periods[i] ?? '')),
    },
  );
  writeDump(dumpPath('periods.sql'), tables);
  shop = await moved(eddImporter, dumpPath('periods.sql'));
  f = await StoreFixture.open(shop.store);
}, 60_000);

const read = async (id: number) => (await f.api.get(`/subscriptions/${id}`)).body.data;

const renew = async (id: number) => {
  const { product_id, user_id, order_id } = await read(id);
  return f.api.post('/orders', { product_id, user_id, order_parent_id: order_id });
};

describe('A subscription of Recurring Payments', () => {
  test.each([32, 33, 35])(
    'ends with its paid time if its product renews for another period here (%i)',
    async (id) => {
      expect(await read(id)).toMatchObject({
        ...{ status: 'active', end_date, renewable: false },
        scheduled: [{ change: 'cancel', at: end_date, by: 'store' }],
      });
      expect((await renew(id)).body.code).toBe('subscription_not_renewable');
      expect(shop.reported('subscriptions', id)?.reason).toBe('renews-otherwise');
    },
  );

  test.each([31, 34, 36])('renews if its period is that of its product (%i)', async (id) => {
    expect(await read(id)).toMatchObject({ renewable: true, scheduled: [], end_date });
    expect(shop.reported('subscriptions', id)?.reason).toBeNull();
  });

  test('keeps the surcharge of its price option if that is deleted', async () => {
    // It was sold for less than its surcharge of today.
    expect((await read(36)).renew_price).toBe(3000);
    const { variants } = (await f.api.get('/products/25')).body.data as {
      variants: { options: { id: string }[] }[];
    };
    const kept = variants.map((group) => ({ ...group, options: group.options.slice(0, 1) }));
    expect((await f.api.patch('/products/25', { variants: kept })).status).toBe(200);
    expect((await read(36)).renew_price).toBe(3000);
    expect((await renew(36)).body.data.grand_total).toBe(3000);
    await expectIntegrity(f);
  });
});
