import { beforeAll, describe, expect, test } from 'vitest';
import { woocommerceImporter } from '../../../packages/import/src/woocommerce/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { type Moved, useMoves } from '../moved.ts';
import { writeDump } from '../shops.ts';
import { dayOf, madeShop } from './shop.ts';

const { dumpPath, moved } = useMoves();

const next = '2100-01-31 08:00:00';
const whole = '2100-01-31T08:00:00.000Z';
const [aYearBefore, aMonthBefore] = ['2099-01-31T08:00:00.000Z', '2099-12-31T08:00:00.000Z'];

const bought = { customer: 3, total: '10.00', lines: [{ product: 502 }], paid: true };
const completed = { ...bought, completed: true };
const processing = { ...bought, status: 'wc-processing' };

/** A key that an order sold. */
const key = (id: number, order: number) => ({
  ...{ id: String(id), license_key: `KEY-${id}`, product_ref: '502', purchase_id_: String(order) },
  ...{ lic_status: 'active', email: 'ada@people.example', lic_type: 'subscription' },
  ...{ max_allowed_domains: '2', max_allowed_devices: '1' },
  ...{ date_created: '2024-02-01', date_activated: '2024-02-02', date_expiry: '2099-06-30' },
});

let shop: Moved;
let f: StoreFixture;

beforeAll(async () => {
  const yearly = { products: [502], next, every: [1, 'year'] } as const;
  const monthly = { products: [502], next, every: [1, 'month'] } as const;
  const cancelled = { next: '0', cancelled: dayOf(80) };
  const meta = {
    ...{ _price: '10', _virtual: 'yes' },
    ...{ _subscription_period: 'year', _subscription_period_interval: '1' },
  };
  const tables = madeShop(
    {
      users: [{ id: 3, email: 'ada@people.example' }],
      posts: [{ id: 502, type: 'product', title: 'Club', meta }],
      types: { 502: 'subscription' },
      orders: [
        { ...completed, id: 10 },
        { ...processing, id: 100, renews: 11 },
        { ...completed, id: 20 },
        { ...completed, id: 110, renews: 21 },
        { ...completed, id: 120, switches: 21 },
        { ...completed, id: 30 },
        { ...completed, id: 130, renews: 31 },
        { ...completed, id: 140, renews: 31 },
        { ...processing, id: 40 },
        { ...completed, id: 50 },
        { ...processing, id: 150, renews: 51 },
        { ...completed, id: 60 },
        { ...completed, id: 70 },
      ],
      subscriptions: [
        { id: 11, order: 10, ...yearly },
        { id: 21, order: 20, ...yearly },
        { id: 31, order: 30, ...monthly },
        { id: 41, order: 40, ...yearly },
        { id: 51, order: 50, ...yearly },
        { id: 61, order: 60, ...yearly, ...cancelled, status: 'wc-pending-cancel', end: next },
        { id: 71, order: 70, ...yearly, ...cancelled, status: 'wc-cancelled', end: dayOf(80) },
      ],
      more: { lic_key_tbl: [key(1, 50), key(2, 150)] },
    },
    true,
  );
  writeDump(dumpPath('terms.sql'), tables);
  shop = await moved(woocommerceImporter, dumpPath('terms.sql'));
  const [began] = await shop.query<{ at: Date }>('select min(started_at) as at from imports');
  shop.store.clock.set(began?.at.toISOString() ?? '');
  f = await StoreFixture.open(shop.store);
}, 60_000);

const subscriptionOf = async (id: number) => {
  const { body } = await f.api.get(`/subscriptions/${id}`);
  return { status: body.data.status, ends: body.data.end_date };
};

const access = (order: number) =>
  shop.query('select status, end_active as ends from access_grants where order_id = $1', [order]);

const paidUntil = (ends: string) => ({ status: 'active', ends });

describe('A subscription of WooCommerce ends as in the shop', () => {
  test('if an order in processing renewed it, also once that order is completed', async () => {
    expect(await subscriptionOf(11)).toEqual(paidUntil(whole));
    expect((await f.api.get('/orders/100')).body.data.status).toBe('in-progress');
    expect((await f.api.patch('/orders/100', { status: 'completed' })).status).toBe(200);
    expect(await subscriptionOf(11)).toEqual(paidUntil(whole));
  });

  test('if its first order is in processing, also once that order is completed', async () => {
    expect(await subscriptionOf(41)).toEqual(paidUntil(whole));
    expect(await access(40)).toEqual([{ status: 'active', ends: new Date(whole) }]);
    expect(shop.reported('subscriptions', 41)?.reason).toBe('charged-elsewhere');
    expect((await f.api.patch('/orders/40', { status: 'completed' })).status).toBe(200);
    expect(await subscriptionOf(41)).toEqual(paidUntil(whole));
  });

  test('and loses what a renewal paid for once it is refunded, but nothing by the refund of a switch', async () => {
    for (const [order, ends] of [
      [120, whole],
      [110, aYearBefore],
    ] as const) {
      expect((await f.api.post(`/orders/${order}/refunds`, {})).status).toBe(201);
      expect(await subscriptionOf(21)).toEqual(paidUntil(ends));
    }
    expect((await f.api.post('/orders/140/refunds', {})).status).toBe(201);
    expect(await subscriptionOf(31)).toEqual(paidUntil(aMonthBefore));
    await expectIntegrity(f);
  });
});

describe('A subscription that was cancelled in WooCommerce', () => {
  const read = async (id: number) => (await f.api.get(`/subscriptions/${id}`)).body.data;
  const cancelled_at = new Date(`${dayOf(80)}Z`).toISOString();

  test('runs until its end, and the member may withdraw the cancellation', async () => {
    expect(await read(61)).toMatchObject({
      ...{ status: 'active', renewable: false, cancelled_at },
      scheduled: [{ change: 'cancel', at: whole, by: 'member' }],
    });
    expect((await f.api.post('/subscriptions/61/resume')).body.data).toMatchObject({
      ...{ status: 'active', renewable: true, scheduled: [] },
    });
  });

  test('is not renewable after its end', async () => {
    expect(await read(71)).toMatchObject({ status: 'cancelled', renewable: false, cancelled_at });
  });
});

describe('A licence of a subscription of WooCommerce', () => {
  const licenses = () =>
    shop.query(
      `select id::int, order_id::int as order, status, to_char(expires_at, 'YYYY-MM-DD') as ends
         from licenses order by id`,
    );
  const both = (status: string) => [
    { id: 1, order: 50, status, ends: '2099-06-30' },
    { id: 2, order: 50, status, ends: '2099-06-30' },
  ];

  test('keeps its end when a renewal in processing is completed', async () => {
    expect(await licenses()).toEqual(both('active'));
    expect((await f.api.patch('/orders/150', { status: 'completed' })).status).toBe(200);
    expect(await licenses()).toEqual(both('active'));
  });

  test('lasts as long as one order of the subscription is paid', async () => {
    expect((await f.api.post('/orders/50/refunds', {})).status).toBe(201);
    expect(await licenses()).toEqual(both('active'));
    expect((await f.api.post('/orders/150/refunds', {})).status).toBe(201);
    expect(await licenses()).toEqual(both('inactive'));
    await expectIntegrity(f);
  });
});
