import { beforeAll, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import type { ApiClient } from '../harness/client.ts';
import { useStore } from '../harness/store.ts';
import { behindLock, transaction } from './queue.ts';

const opened = useStore();
let api: ApiClient;
let product: number;
let buyer: number;

const id = async (path: string, body: object) =>
  (await api.post(path, body)).body.data.id as number;

beforeAll(async () => {
  api = await opened.store.key();
  product = await id('/products', { title: 'A', price: 100 });
  buyer = await id('/users', { email: 'buyer@mail.example' });
});

/** An unpaid order, and its reminder, which was cancelled by hand. */
async function reminded() {
  const order = await id('/orders', { product_id: product, user_id: buyer });
  const words = { title: 'Please', content: 'Pay.', scheduled_at: '2030-01-01T00:00:00Z' };
  const reminder = await id('/reminders', { order_id: order, ...words });
  await api.post(`/reminders/${reminder}`, { status: 'cancelled' });
  return { order, reminder, words };
}

const statusOf = async (reminder: number) =>
  (await api.get(`/reminders/${reminder}`)).body.data.status;

const paid = (order: number) => `update orders set status = 'in-progress' where id = ${order}`;

long('no reminder of a payment in progress is scheduled, restored or sent', async () => {
  const { order, reminder, words } = await reminded();
  const [resent, revived, made] = await behindLock(opened.store, paid(order), [
    () => api.post(`/reminders/${reminder}/resend`),
    () => api.post(`/reminders/${reminder}`, { status: 'pending' }),
    () => api.post('/reminders', { order_id: order, ...words }),
  ]);
  const refused = { status: 409, body: { code: 'order_not_payable' } };
  expect(resent).toMatchObject(refused);
  expect(revived).toMatchObject(refused);
  expect(await statusOf(reminder)).toBe('cancelled');
  // The new reminder concerns a paid order.
  expect(made).toMatchObject({ status: 201 });
  await api.patch(`/orders/${order}`, { status: 'completed' });
  expect(await statusOf(made?.body.data.id)).toBe('pending');
});

test('control: if the order is read before its payment commits, the reminder is restored for a paid order', async () => {
  const { order, reminder } = await reminded();
  const broken = transaction(opened.store, async (client) => {
    const { rows } = await client.query('select status from orders where id = $1', [order]);
    await client.query("update reminders set status = 'pending' where id = $1", [reminder]);
    return rows[0].status === 'on-hold';
  });
  const payment = transaction(opened.store, async (client) => {
    await client.query(paid(order));
    return broken();
  });
  expect(await payment()).toBe(true);
  expect(await statusOf(reminder)).toBe('pending');
});
