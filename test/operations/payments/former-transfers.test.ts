import { afterEach, expect, test } from 'vitest';
import { checkIntegrity } from '../../../src/cli/integrity/index.ts';
import { runBackfills } from '../../../src/cli/migrations/backfills.ts';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useCounter } from './transfers.ts';

// The rows are as versions up to 0.1.0 left them.

const opened = useCounter();

const query = (text: string, values: unknown[]) =>
  opened.counter.store.database.query(text, values);

afterEach(() => expectIntegrity(opened.counter.fixture));

const upgrade = () => runBackfills(opened.counter.store.database);

const patch = async (id: number, body: object) =>
  expect((await opened.counter.fixture.api.patch(`/orders/${id}`, body)).status).toBe(200);

async function paid() {
  const { counter } = opened;
  const order = await counter.newOrder();
  const mutation = counter.transfer(order.grand_total);
  await counter.bring();
  expect(await counter.mutation(mutation)).toMatchObject({ status: 'matched', order_id: order.id });
  return { order: order.id, mutation };
}

test('The upgrade opens the transfer of an order that a former version let wait for its payment again', async () => {
  const { counter } = opened;
  const { order, mutation } = await paid();
  await patch(order, { status: 'in-progress' });
  await patch(order, { status: 'on-hold' });
  const today = await counter.mutation(mutation);
  await query(
    `update bank_mutations set status = 'matched', order_id = $1, version = 1 where mutation_id = $2`,
    [order, mutation],
  );
  await upgrade();
  const now = await counter.mutation(mutation);
  expect(now).toEqual({ ...today, updated_at: now?.updated_at });
  const reply = await counter.resolve(mutation, { action: 'assign', order_id: order });
  expect(reply.status).toBe(200);
  await upgrade();
  expect(await counter.mutation(mutation)).toMatchObject({ status: 'matched', order_id: order });
});

test('The upgrade leaves the transfer of an order that was cancelled with a refund, also after it is reopened', async () => {
  const { counter } = opened;
  const { order, mutation } = await paid();
  await patch(order, { status: 'in-progress' });
  await patch(order, { status: 'cancelled' });
  await upgrade();
  await patch(order, { status: 'on-hold' });
  await upgrade();
  expect(await counter.mutation(mutation)).toMatchObject({ status: 'matched', order_id: order });
});

const collected =
  'orders on delivery that were paid by transfer: collect nothing, and complete them';

const collecting = async () =>
  (await checkIntegrity(opened.counter.store.database)).find(({ name }) => name === collected)?.ids;

async function orderOnDelivery(price: number) {
  const { fixture } = opened.counter;
  const product = { price, type: 'physical', cod: { active: true, fee: 5000 } };
  const { id: product_id } = await fixture.newProduct(product);
  const { id } = await fixture.newOrder({ product_id });
  await patch(id, { payment_gateway: 'cod' });
  return id;
}

const unpay = (id: number) =>
  query(`update orders set paid_at = null, payment_gateway = 'cod' where id = $1`, [id]);

test('The upgrade opens the transfer that paid an order on delivery, and npm run integrity names the order', async () => {
  const { counter } = opened;
  const id = await orderOnDelivery(70_000);
  const mutation = counter.transfer(75_000);
  await counter.bring();
  await counter.resolve(mutation, { action: 'assign', order_id: id });
  await unpay(id);
  await upgrade();
  expect(await counter.mutation(mutation)).toMatchObject({ status: 'open', order_id: null });
  expect(await collecting()).toBe(String(id));
  await patch(id, { status: 'completed' });
  expect(await collecting()).toBe('');
  expect((await counter.resolve(mutation, { action: 'assign', order_id: id })).status).toBe(200);
});

test('npm run integrity names an order on delivery whose payment proof was approved, and no other one', async () => {
  const { api } = opened.counter.fixture;
  const id = await orderOnDelivery(80_000);
  const proof = { order_id: id, total: 85_000, sender: 'Dewi' };
  const { body } = await api.post('/confirmations', proof);
  const approved = await api.post(`/confirmations/${body.data.id}`, { status: 'approved' });
  expect(approved.status).toBe(200);
  await unpay(id);
  const other = await orderOnDelivery(90_000);
  await patch(other, { status: 'in-progress' });
  expect(await collecting()).toBe(String(id));
  opened.counter.store.clock.advance(60);
  await patch(id, { status: 'on-hold' });
  await patch(id, { status: 'in-progress' });
  expect(await collecting()).toBe('');
});
