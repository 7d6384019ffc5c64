import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { runJobs } from '../../src/jobs/index.ts';
import { long } from '../harness/long.ts';
import { breakRow } from '../harness/break.ts';
import type { ApiClient } from '../harness/client.ts';
import { useStore } from '../harness/store.ts';
import { untilWaiting } from '../races/queue.ts';

const opened = useStore();
let api: ApiClient;
let product: number;
let buyer: number;

beforeAll(async () => {
  api = await opened.store.key();
  const id = async (path: string, body: object) => (await api.post(path, body)).body.data.id;
  product = await id('/products', { title: 'A', price: 100, stock: 50 });
  buyer = await id('/users', { email: 'buyer@x.example' });
});

const place = async () =>
  (await api.post('/orders', { product_id: product, user_id: buyer })).body.data.id as number;
const read = async (id: number) => (await api.get(`/orders/${id}`)).body.data;

const runCron = async () => {
  const problems: unknown[] = [];
  await runJobs(await opened.store.services(), (line) => problems.push(line));
  expect(problems).toEqual([]);
};

test('an order that is not paid in time is cancelled, by the system and with its stock', async () => {
  const order = await place();
  opened.store.clock.advance(3 * 86_400 - 1);
  await runCron();
  expect((await read(order)).status).toBe('on-hold');
  opened.store.clock.advance(1);
  await runCron();
  expect(await read(order)).toMatchObject({
    status: 'cancelled',
    payment_status: 'void',
    history: [{}, { to: 'cancelled', actor_type: 'system', actor_id: null }],
  });
  expect((await api.get(`/products/${product}`)).body.data.stock).toBe(50);
});

test('an order to be paid on delivery is not cancelled, whether it was switched to that or reopened', async () => {
  const parcel = { title: 'B', price: 100, type: 'physical', cod: { active: true, fee: 0 } };
  const { id: product_id } = (await api.post('/products', parcel)).body.data;
  const newOrder = async (payment_gateway: string) =>
    (await api.post('/orders', { product_id, user_id: buyer, payment_gateway })).body.data.id;
  const [switched, reopened] = [await newOrder('manual'), await newOrder('cod')];
  await api.patch(`/orders/${switched}`, { payment_gateway: 'cod' });
  await api.patch(`/orders/${reopened}`, { status: 'cancelled' });
  await api.patch(`/orders/${reopened}`, { status: 'on-hold' });
  opened.store.clock.advance(4 * 86_400);
  await runCron();
  for (const id of [switched, reopened]) {
    expect(await read(id)).toMatchObject({ status: 'on-hold', expires_at: null });
  }
});

test('an order whose buyer reported a payment is not cancelled', async () => {
  const order = await place();
  await api.post('/confirmations', { order_id: order });
  opened.store.clock.advance(4 * 86_400);
  await runCron();
  expect((await read(order)).status).toBe('payment-confirm');
});

test('a payment that arrives while the cancellation is being written wins', async () => {
  const order = await place();
  opened.store.clock.advance(4 * 86_400);
  const held = opened.store.neon.faults.next({
    statement: 'update "orders"',
    delay: 0,
    hold: true,
  });
  const paid = api.patch(`/orders/${order}`, { status: 'completed' });
  await held.reached;
  // The job has to wait for the row that the payment locks, and then finds another version.
  const cron = runCron();
  await untilWaiting(opened.store, 1);
  held.release();
  expect((await paid).status).toBe(200);
  await cron;
  expect((await read(order)).status).toBe('completed');
});

test('an order that cannot be cancelled holds up none of the others', async () => {
  const orders = [await place(), await place(), await place()];
  opened.store.clock.advance(4 * 86_400);
  const mend = await breakRow(opened.store, 'orders', orders[0] ?? 0);
  const problems: unknown[] = [];
  await runJobs(await opened.store.services(), (line) => problems.push(line));
  await mend();
  expect(problems).toMatchObject([{ job: 'expired orders', sqlstate: 'P0001' }]);
  const statuses = await Promise.all(orders.map(async (id) => (await read(id)).status));
  expect(statuses).toEqual(['on-hold', 'cancelled', 'cancelled']);
  await runCron();
});

long('a run takes a bounded batch and the next one the rest', async () => {
  const environment = await opened.store.environment;
  environment['SUBREQUESTS'] = '10000';
  onTestFinished(() => void delete environment['SUBREQUESTS']);
  const { body } = await api.post('/products', { title: 'B', price: 100 });
  const order = { product_id: body.data.id, user_id: buyer };
  await Promise.all(Array.from({ length: 52 }, () => api.post('/orders', order)));
  opened.store.clock.advance(4 * 86_400);
  const open = async () =>
    (await api.get('/orders?status=on-hold&output=count')).body.data.count as number;
  await runCron();
  expect(await open()).toBe(2);
  await runCron();
  expect(await open()).toBe(0);
});
