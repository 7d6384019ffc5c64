import { beforeAll, describe, expect, test } from 'vitest';
import { eddImporter } from '../../../packages/import/src/edd/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { type Row, download, eddTables, item, order } from './shop.ts';

const { dumpPath, moved } = useMoves();

const placed = (id: number, date: string, fields: Row = {}): Row =>
  order(id, {
    ...{ date_created: `${date} 10:00:00`, date_modified: `${date} 10:05:00` },
    ...{ date_completed: `${date} 10:05:00`, ...fields },
  });

const renewal = (id: number, parent: number, date: string, status = 'edd_subscription') =>
  placed(id, date, { parent, status });

const subscription = (id: number, parent_payment_id: number, fields: Row = {}): Row => ({
  ...{ id, customer_id: 1, period: 'year', parent_payment_id, product_id: 21, price_id: null },
  ...{ created: '2024-03-01 10:05:00', expiration: '2099-03-01 10:05:00', status: 'active' },
  ...{ profile_id: '', ...fields },
});

const key = 'abcdef0123456789abcdef0123456789';

const yearly = { edd_price: '50', edd_recurring: 'yes', edd_period: 'year', edd_times: '0' };

let shop: Moved;
let fixture: StoreFixture;

beforeAll(async () => {
  const path = dumpPath('subscriptions.sql');
  const edd_orders = [
    ...[placed(1, '2097-03-01'), renewal(2, 1, '2098-03-01')],
    ...[placed(3, '2097-03-01'), renewal(4, 3, '2098-03-01')],
    ...[placed(5, '2097-03-01'), renewal(6, 5, '2098-03-01')],
    ...[renewal(12, 11, '2023-03-01'), renewal(13, 11, '2024-03-01')],
    renewal(15, 14, '2024-03-01'),
    ...[placed(21, '2023-03-01'), renewal(22, 21, '2024-03-01', 'partially_refunded')],
    renewal(23, 21, '2025-03-01', 'refunded'),
    placed(24, '2024-04-01', { parent: 22, type: 'refund', total: '-5.000000000' }),
    ...[25, 26, 27].map((id) => placed(id, '2025-03-01')),
  ];
  const rows = {
    edd_orders,
    edd_order_items: edd_orders.map(({ id }) => item(Number(id), Number(id))),
    edd_subscriptions: [
      ...[subscription(31, 1), subscription(32, 3, { bill_times: 5 }), subscription(33, 5)],
      subscription(34, 11, { expiration: '2025-03-01 10:05:00', status: 'expired' }),
      subscription(35, 21, { expiration: '2025-03-01 10:05:00', status: 'cancelled' }),
      subscription(36, 25, { status: 'cancelled', profile_id: 'sub_36' }),
      subscription(37, 26, { status: 'failing', profile_id: 'sub_37' }),
      subscription(38, 27, {
        status: 'expired',
        profile_id: 'sub_38',
        expiration: '2025-09-01 10:05:00',
      }),
    ],
    edd_licenses: [
      {
        ...{ id: 41, license_key: key, status: 'active', download_id: 21, price_id: null },
        ...{ payment_id: 3, cart_index: 0, date_created: '2097-03-01 10:05:00', parent: 0 },
        ...{ expiration: Date.parse('2099-03-01T10:05:00Z') / 1000, customer_id: 1, user_id: '0' },
      },
    ],
  };
  writeDump(path, eddTables([download(21, 'plugin', yearly)], rows));
  shop = await moved(eddImporter, path);
  shop.store.clock.set('2098-06-01T00:00:00.000Z');
  fixture = await StoreFixture.open(shop.store);
}, 60_000);

/** A subscription with its orders, and the access by it. */
async function shown(id: number) {
  const { data } = (await fixture.api.get(`/subscriptions/${id}`)).body;
  const access = await shop.query<object>(
    `select status, end_active::date::text as ends from access_grants where order_id = $1`,
    [data.orders[0].id],
  );
  return {
    status: data.status,
    ends: data.end_date?.slice(0, 10) ?? null,
    orders: data.orders.map((one: { id: number }) => one.id),
    access: access[0],
  };
}

describe('A subscription with a renewal', () => {
  test('ends with its first term once the renewal is refunded', async () => {
    const access = { status: 'active', ends: '2099-03-01' };
    expect(await shown(31)).toEqual({
      ...{ status: 'active', ends: '2099-03-01', orders: [1, 2], access },
    });
    expect((await fixture.api.post('/orders/2/refunds', {})).status).toBe(201);
    expect(await shown(31)).toEqual({
      ...{ status: 'expired', ends: '2098-03-01', orders: [1, 2] },
      access: { ...access, ends: '2098-03-01' },
    });
  });

  test('lasts on with the renewal if its first order is refunded', async () => {
    expect((await fixture.api.post('/orders/3/refunds', {})).status).toBe(201);
    expect(await shown(32)).toEqual({
      ...{ status: 'active', ends: '2099-03-01', orders: [3, 4] },
      access: { status: 'active', ends: '2099-03-01' },
    });
    const asked = await fixture.api.post('/licenses/validate', { license: key });
    expect(asked.body).toMatchObject({ code: 'VALID' });
  });

  test('gains no time if the renewal is completed again', async () => {
    for (const status of ['in-progress', 'completed'])
      expect((await fixture.api.patch('/orders/6', { status })).status).toBe(200);
    expect(await shown(33)).toMatchObject({ ends: '2099-03-01', orders: [5, 6] });
  });

  test('has a line in the report for each of its orders', () => {
    expect(shop.reported('subscriptions', 31)).toMatchObject({
      ...{ outcome: 'changed', targetId: '1', reason: 'downloads-end' },
    });
    expect(shop.reported('subscriptions', '31-2')).toMatchObject({
      ...{ outcome: 'imported', targetId: '2' },
    });
  });

  test('keeps renewals that the shop refunded, whose status no longer tells that they renew', async () => {
    expect(await shown(35)).toEqual({
      ...{ status: 'cancelled', ends: '2025-03-01', orders: [21, 22, 23] },
      access: { status: 'active', ends: '2025-03-01' },
    });
    expect(shop.reported('subscriptions', '35-23')).toMatchObject({ reason: 'not-paid' });
  });
});

describe('A subscription that was cancelled in the shop', () => {
  test('lasts until the end of the paid time, and is cancelled for then', async () => {
    const { data } = (await fixture.api.get('/subscriptions/36')).body;
    expect(data).toMatchObject({
      ...{ status: 'active', end_date: '2099-03-01T10:05:00.000Z' },
      cancelled_at: expect.any(String),
    });
  });

  test('was cancelled no later than its end', async () => {
    const { data } = (await fixture.api.get('/subscriptions/35')).body;
    expect(data).toMatchObject({ status: 'cancelled', cancelled_at: data.end_date });
  });
});

test('Only a subscription that goes on is reported as charged by its gateway', () => {
  const charged = [36, 37, 38].map((id) => shop.reported('subscriptions', id)?.reason);
  expect(charged).toEqual(['downloads-end', 'charged-elsewhere downloads-end', 'downloads-end']);
});

describe('Renewals without the first order', () => {
  test('are a chain of their own, which ends when the shop says', async () => {
    expect(await shown(34)).toEqual({
      ...{ status: 'expired', ends: '2025-03-01', orders: [12, 13] },
      access: { status: 'active', ends: '2025-03-01' },
    });
    expect(shop.reported('subscriptions', 34)).toMatchObject({
      reason: 'downloads-end parent-missing',
    });
    expect(shop.reported('orders', 12)).toMatchObject({ reason: 'parent-missing' });
  });

  test('give no access if the shop lost their subscription too', async () => {
    expect(
      await shop.query('select status, end_active from access_grants where order_id = 15'),
    ).toEqual([{ status: 'revoked', end_active: null }]);
    expect(shop.reported('orders', 15)).toMatchObject({ reason: 'parent-missing term-missing' });
  });
});

test('The report names a subscription that ends after a number of payments', () => {
  expect(shop.reported('subscriptions', 32)).toMatchObject({
    reason: 'no-counterpart downloads-end',
  });
});
