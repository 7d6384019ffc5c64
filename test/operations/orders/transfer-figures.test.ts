import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { runJobs } from '../../../src/jobs/index.ts';
import { largestAmount } from '../../../src/lib/money.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
const day = 86_400;

beforeAll(() => opened.fixture.set('unique_code_enabled', true));
afterAll(() => expectIntegrity(opened.fixture));

async function newOrder(price = 15_000): Promise<Order> {
  const { fixture } = opened;
  return fixture.newOrder({ product_id: (await fixture.newProduct({ price })).id });
}

const change = ({ id }: Order, body: object) => opened.fixture.api.patch(`/orders/${id}`, body);

const taken = { status: 409, body: { code: 'transfer_figure_taken' } };

test.each([
  ['is cancelled', { status: 'cancelled' }],
  ['gets another total', { grand_total: 99_999 }],
  ['is paid another way', { payment_gateway: 'cod' }],
])('the amount of an order that %s stays reserved for two weeks', async (_, settled) => {
  const { fixture } = opened;
  const parcel = { price: 15_000, type: 'physical', cod: { active: true, fee: 0 } };
  const order = await fixture.newOrder({ product_id: (await fixture.newProduct(parcel)).id });
  const figure = { grand_total: order.grand_total };
  expect((await change(order, settled)).status).toBe(200);
  fixture.store.clock.advance(14 * day - 1);
  expect(await change(await newOrder(), figure)).toMatchObject(taken);
  fixture.store.clock.advance(1);
  const next = await newOrder();
  expect(await change(next, figure)).toMatchObject({ status: 200, body: { data: figure } });
  await change(next, { status: 'cancelled' });
});

test('the amount of an order that is marked paid is free a day later, because its transfer may still be reported', async () => {
  const { api } = opened.fixture;
  for (const path of ['orders', 'confirmations'] as const) {
    const order = await newOrder();
    if (path === 'orders') await change(order, { status: 'completed' });
    else {
      const said = { order_id: order.id, sender: 'Ana', total: order.grand_total };
      const { id } = (await api.post('/confirmations', said)).body.data;
      expect((await api.post(`/confirmations/${id}`, { status: 'approved' })).status).toBe(200);
    }
    const figure = { grand_total: order.grand_total };
    const other = await newOrder();
    expect(await change(other, figure)).toMatchObject(taken);
    opened.fixture.store.clock.advance(day + 1);
    expect(await change(other, figure)).toMatchObject({ status: 200 });
  }
});

describe('If no code of an amount is free', () => {
  /** Reserves all amounts above a price except the last; some of them are released at given times. */
  async function takeAll(price: number, held: readonly (readonly [number, number])[] = []) {
    const { fixture } = opened;
    const now = fixture.store.clock.now().getTime();
    const until = new Map(held);
    const rows = Array.from({ length: 998 }, (_, i) => {
      const days = until.get(i + 1);
      const at = days === undefined ? null : new Date(now + days * day * 1000).toISOString();
      return { amount: price + i + 1, at };
    });
    // The orders are not in this store, because the integrity check only looks at waiting rows.
    await fixture.store.database.query(
      `insert into payable_claims (currency, amount, held_until)
       select 'USD', amount, at from jsonb_to_recordset($1) as r(amount bigint, at timestamptz)`,
      [JSON.stringify(rows)],
    );
    const { id: product_id } = await fixture.newProduct({ price });
    const { id: user_id } = await fixture.newUser();
    return { product_id, user_id };
  }

  const removeAll = (price: number) =>
    opened.fixture.store.database.query(
      'delete from payable_claims where order_id is null and amount between $1 and $1 + 999',
      [price],
    );

  const valid = async (order: object) =>
    (await opened.fixture.api.post('/checkout/calculate', order)).body.data.valid;

  test('the codes of orders that no longer wait are reused, the longest released first', async () => {
    const { fixture } = opened;
    const order = await takeAll(700_000, [
      [20, 9],
      [300, 2],
      [40, 5],
    ]);
    const placed = [];
    for (let n = 0; n < 5; n++) {
      expect(await valid(order)).toBe(true);
      const reply = await fixture.api.post('/orders', order);
      expect(reply).toMatchObject({ status: 201, trips: n === 0 ? reply.trips : 2 });
      placed.push(reply.body.data);
    }
    expect(placed.map(({ unique_code }) => unique_code)).toEqual([999, 300, 40, 20, 0]);
    expect(placed.at(-1)).toMatchObject({ grand_total: 700_000, payment_gateway: 'manual' });
    const { to_do } = (await fixture.api.get('/overview')).body.data;
    expect(to_do.orders_without_code).toBe(1);
    await removeAll(700_000);
  });

  test('an order that is reopened gets no code either, but gets one from a larger range', async () => {
    const { fixture } = opened;
    const order = await fixture.newOrder(await takeAll(710_000));
    await change(order, { status: 'cancelled' });
    await fixture.store.database.query(
      `update payable_claims set order_id = null, held_until = null where amount = $1`,
      [order.grand_total],
    );
    const again = await change(order, { status: 'on-hold' });
    expect(again).toMatchObject({ status: 200, body: { data: { unique_code: 0 } } });
    await fixture.set('unique_code_largest', 9999);
    const next = await fixture.newOrder({ product_id: order.product_id });
    expect(next.unique_code).toBeGreaterThan(999);
    await fixture.set('unique_code_largest', 999);
    await removeAll(710_000);
  });
});

test('an order that is reopened gets its own amount again', async () => {
  const order = await newOrder();
  await change(order, { status: 'cancelled' });
  expect(await change(order, { status: 'on-hold' })).toMatchObject({
    status: 200,
    body: { data: { grand_total: order.grand_total } },
  });
});

test('an order that is erased leaves its amount reserved', async () => {
  const order = await newOrder();
  await change(order, { status: 'cancelled' });
  const { api } = opened.fixture;
  expect((await api.delete(`/orders/${order.id}?force=true`)).status).toBe(200);
  expect(await change(await newOrder(), { grand_total: order.grand_total })).toMatchObject(taken);
});

test('the days of a hold are a setting, and 0 days release an amount at once', async () => {
  const { fixture } = opened;
  const settle = async (days: number) => {
    await fixture.set('transfer_hold_days', days);
    const order = await newOrder();
    await change(order, { status: 'cancelled' });
    return { grand_total: order.grand_total };
  };
  expect(await change(await newOrder(), await settle(0))).toMatchObject({ status: 200 });
  const figure = await settle(1);
  await fixture.set('transfer_hold_days', 14);
  expect(await change(await newOrder(), figure)).toMatchObject(taken);
  fixture.store.clock.advance(day);
  expect(await change(await newOrder(), figure)).toMatchObject({ status: 200 });
});

test('the cron removes expired reservations, and no others', async () => {
  const { fixture } = opened;
  const [waits, gone] = [await newOrder(), await newOrder()];
  await change(gone, { status: 'cancelled' });
  const reserved = async () => {
    await runJobs(await fixture.store.services(), () => {});
    const { rows } = await fixture.store.database.query(
      'select amount from payable_claims where amount = any($1)',
      [[waits.grand_total, gone.grand_total]],
    );
    return rows.map(({ amount }) => Number(amount));
  };
  await fixture.store.database.query('update orders set expires_at = null where id = $1', [
    waits.id,
  ]);
  fixture.store.clock.advance(14 * day - 1);
  expect(new Set(await reserved())).toEqual(new Set([waits.grand_total, gone.grand_total]));
  fixture.store.clock.advance(1);
  expect(await reserved()).toEqual([waits.grand_total]);
});

test('a price above the limit of amounts is refused as such', async () => {
  const { fixture } = opened;
  const { id: product_id } = await fixture.newProduct({ price: largestAmount });
  const { id: user_id } = await fixture.newUser();
  const order = { product_id, user_id, quantity: 1_000_000 };
  expect(await fixture.api.post('/orders', order)).toMatchObject({
    status: 400,
    body: { data: { params: { quantity: expect.any(String) } } },
  });
});

describe('An order whose former amount now belongs to another order', () => {
  const another = async (figure: number) =>
    expect((await change(await newOrder(), { grand_total: figure })).status).toBe(200);

  test.each(['cancelled', 'in-progress'])(
    'gets another code when it waits again: %s',
    async (to) => {
      const { fixture } = opened;
      const order = await newOrder();
      await change(order, { status: to });
      fixture.store.clock.advance(14 * day);
      await another(order.grand_total);
      const again = await change(order, { status: 'on-hold' });
      expect(again).toMatchObject({ status: 200, body: { data: { status: 'on-hold' } } });
      const { unique_code, grand_total, adjustment_total } = again.body.data;
      expect(unique_code).toBeGreaterThan(0);
      expect(grand_total).not.toBe(order.grand_total);
      expect([grand_total, adjustment_total]).toEqual([15_000 + unique_code, 0]);
    },
  );

  test('gets another code when an administrator reopens it', async () => {
    const { fixture } = opened;
    const order = await newOrder();
    await change(order, { status: 'in-progress' });
    fixture.store.clock.advance(day + 1);
    await another(order.grand_total);
    const { session } = await fixture.newAdministrator();
    const again = await session.post(`/me/orders/${order.id}/status`, { status: 'on-hold' });
    expect(again).toMatchObject({ status: 200, body: { changed: true } });
    expect(again.body.data.grand_total).not.toBe(order.grand_total);
  });

  test('gets another code when its quantity changes', async () => {
    const order = await newOrder();
    await another(order.grand_total + 15_000);
    const twice = await change(order, { quantity: 2 });
    expect(twice.status).toBe(200);
    expect(twice.body.data.grand_total).not.toBe(order.grand_total + 15_000);
  });

  test('is refused with the reason if a person sets that total', async () => {
    const { grand_total } = await newOrder();
    expect(await change(await newOrder(), { grand_total })).toMatchObject(taken);
  });
});

describe('An order from before codes were used', () => {
  const plainOrder = async (price: number) => {
    await opened.fixture.set('unique_code_enabled', false);
    const order = await newOrder(price);
    await opened.fixture.set('unique_code_enabled', true);
    expect(order.unique_code).toBe(0);
    return order;
  };

  test('waits for a total that no later order gets', async () => {
    const { fixture } = opened;
    const { grand_total } = await plainOrder(800_500);
    const { id: product_id } = await fixture.newProduct({ price: 800_000 });
    await fixture.store.database.query(
      `insert into payable_claims (currency, amount, held_until)
        select 'USD', 800000 + n, $1 from generate_series(1, 999) n where n not in (500, 700)`,
      [new Date(fixture.store.clock.now().getTime() + day * 1000)],
    );
    const order = await fixture.newOrder({ product_id });
    expect(order.grand_total).toBe(800_700);
    expect(await change(order, { grand_total })).toMatchObject(taken);
    // All other amounts are reserved, so the released one is used again.
    expect((await fixture.newOrder({ product_id })).grand_total).not.toBe(grand_total);
  });

  test('gets a code when its quantity changes, and keeps its amount when its note changes', async () => {
    const order = await plainOrder(31_000);
    expect((await change(order, { note: 'Kept.' })).body.data.grand_total).toBe(31_000);
    const twice = (await change(order, { quantity: 2 })).body.data;
    expect(twice.unique_code).toBeGreaterThan(0);
    expect(twice.grand_total).toBe(62_000 + twice.unique_code);
    const other = await plainOrder(31_000);
    const said = (await change(other, { grand_total: 30_999 })).body.data;
    expect(said.grand_total).toBe(30_999);
    expect(await change(await newOrder(), { grand_total: 30_999 })).toMatchObject(taken);
  });
});

test('a free amount is found for any price after a coupon', async () => {
  const { fixture } = opened;
  const until = new Date(fixture.store.clock.now().getTime() + day * 1000);
  // So many amounts below the price are taken that the first read finds none below the discounted price.
  await fixture.store.database.query(
    `insert into payable_claims (currency, amount, held_until)
      select 'USD', n, $1::timestamptz from generate_series(3998000, 3999999) n
      union all select 'USD', n, $1::timestamptz from generate_series(2000001, 2000999) n where n <> 2000777`,
    [until],
  );
  const discount = { value: 50, type: 'percentage' };
  await fixture.api.post('/coupons', { code: 'HALF', discount });
  const { id: product_id } = await fixture.newProduct({ price: 4_000_000 });
  const order = await fixture.newOrder({ product_id, coupon_code: 'HALF' });
  expect(order.grand_total).toBe(2_000_777);
});

test('a new quantity gets another code if its total would equal that of an order without a code', async () => {
  const { fixture } = opened;
  await fixture.api.post('/coupons', {
    code: 'HALVED',
    discount: { value: 50, type: 'percentage' },
  });
  const { id: product_id } = await fixture.newProduct({ price: 6_000_000 });
  const order = await fixture.newOrder({ product_id, coupon_code: 'HALVED' });
  const figure = 6_000_000 + order.unique_code;
  await fixture.set('unique_code_enabled', false);
  expect((await newOrder(figure)).grand_total).toBe(figure);
  await fixture.set('unique_code_enabled', true);
  await fixture.store.database.query(
    `insert into payable_claims (currency, amount, held_until)
      select 'USD', n, $1 from generate_series(8997000, 8999999) n`,
    [new Date(fixture.store.clock.now().getTime() + day * 1000)],
  );
  const twice = await change(order, { quantity: 2 });
  expect(twice).toMatchObject({ status: 200, body: { data: { discount_total: 6_000_000 } } });
  expect(twice.body.data.grand_total).not.toBe(figure);
});

test.each(['in-progress', 'completed'])(
  'an order that is placed as %s costs what was quoted, without a unique code',
  async (status) => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ price: 5000 });
    const order = await fixture.newOrder({ product_id, status });
    expect(order).toMatchObject({ status, unique_code: 0, grand_total: 5000 });
  },
);
