import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order/schemas.ts';
import { runJobs } from '../../../src/jobs/index.ts';
import { largestAmount } from '../../../src/lib/money.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useShop } from '../../harness/shop.ts';

const opened = useShop();
const day = 86_400;

beforeAll(() => opened.shop.set('unique_code_enabled', true));
afterAll(() => expectIntegrity(opened.shop));

async function newOrder(price = 15_000): Promise<Order> {
  const { shop } = opened;
  return shop.newOrder({ product_id: (await shop.newProduct({ price })).id });
}

const change = ({ id }: Order, body: object) => opened.shop.api.patch(`/orders/${id}`, body);

const taken = { status: 409, body: { code: 'transfer_figure_taken' } };

test.each([
  ['is paid', { status: 'completed' }],
  ['is cancelled', { status: 'cancelled' }],
  ['gets another total', { grand_total: 99_999 }],
  ['is paid another way', { payment_gateway: 'cod' }],
])('the figure of an order that %s stays reserved for two weeks', async (_, settled) => {
  const { shop } = opened;
  const parcel = { price: 15_000, type: 'physical', cod: { active: true, fee: 0 } };
  const order = await shop.newOrder({ product_id: (await shop.newProduct(parcel)).id });
  const figure = { grand_total: order.grand_total };
  expect((await change(order, settled)).status).toBe(200);
  shop.store.clock.advance(14 * day - 1);
  expect(await change(await newOrder(), figure)).toMatchObject(taken);
  shop.store.clock.advance(1);
  const next = await newOrder();
  expect(await change(next, figure)).toMatchObject({ status: 200, body: { data: figure } });
  await change(next, { status: 'cancelled' });
});

test('no new order gets a figure that is reserved, and where all are, none is placed', async () => {
  const { shop } = opened;
  const { id: product_id } = await shop.newProduct({ price: 700_000 });
  const { id: user_id } = await shop.newUser();
  const [last, ...others] = Array.from({ length: 999 }, (_, i) => 700_001 + i);
  const until = new Date(shop.store.clock.now().getTime() + day * 1000);
  await shop.store.database.query(
    `insert into payable_claims (currency, amount, held_until) select 'USD', unnest($1::int[]), $2`,
    [others, until],
  );
  const order = { product_id, user_id };
  const checked = async () => (await shop.api.post('/checkout/calculate', order)).body.data.valid;
  expect(await checked()).toBe(true);
  expect(await shop.newOrder(order)).toMatchObject({ grand_total: last });
  expect(await checked()).toBe(false);
  const exhausted = { status: 409, body: { code: 'unique_code_exhausted' } };
  expect(await shop.api.post('/orders', order)).toMatchObject(exhausted);
  shop.store.clock.advance(day);
  expect(await shop.api.post('/orders', order)).toMatchObject({ status: 201 });
});

test('an order that is reopened takes its own figure again', async () => {
  const order = await newOrder();
  await change(order, { status: 'cancelled' });
  expect(await change(order, { status: 'on-hold' })).toMatchObject({
    status: 200,
    body: { data: { grand_total: order.grand_total } },
  });
});

test('an order that is erased leaves its figure reserved', async () => {
  const order = await newOrder();
  await change(order, { status: 'cancelled' });
  const { api } = opened.shop;
  expect((await api.delete(`/orders/${order.id}?force=true`)).status).toBe(200);
  expect(await change(await newOrder(), { grand_total: order.grand_total })).toMatchObject(taken);
});

test('how long is a setting, and 0 days frees a figure at once', async () => {
  const { shop } = opened;
  const settle = async (days: number) => {
    await shop.set('transfer_hold_days', days);
    const order = await newOrder();
    await change(order, { status: 'completed' });
    return { grand_total: order.grand_total };
  };
  expect(await change(await newOrder(), await settle(0))).toMatchObject({ status: 200 });
  const figure = await settle(1);
  await shop.set('transfer_hold_days', 14);
  expect(await change(await newOrder(), figure)).toMatchObject(taken);
  shop.store.clock.advance(day);
  expect(await change(await newOrder(), figure)).toMatchObject({ status: 200 });
});

test('the cron removes reservations whose time is over, and no other', async () => {
  const { shop } = opened;
  const [waits, paid] = [await newOrder(), await newOrder()];
  await change(paid, { status: 'completed' });
  const reserved = async () => {
    await runJobs(await shop.store.services(), () => {});
    const { rows } = await shop.store.database.query(
      'select amount from payable_claims where amount = any($1)',
      [[waits.grand_total, paid.grand_total]],
    );
    return rows.map(({ amount }) => Number(amount));
  };
  await shop.store.database.query('update orders set expires_at = null where id = $1', [waits.id]);
  shop.store.clock.advance(14 * day - 1);
  expect(new Set(await reserved())).toEqual(new Set([waits.grand_total, paid.grand_total]));
  shop.store.clock.advance(1);
  expect(await reserved()).toEqual([waits.grand_total]);
});

test('a price beyond what amounts can be is refused as such', async () => {
  const { shop } = opened;
  const { id: product_id } = await shop.newProduct({ price: largestAmount });
  const { id: user_id } = await shop.newUser();
  const order = { product_id, user_id, quantity: 1_000_000 };
  expect(await shop.api.post('/orders', order)).toMatchObject({
    status: 400,
    body: { data: { params: { quantity: expect.any(String) } } },
  });
});
