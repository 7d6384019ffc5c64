import { expect, test } from 'vitest';
import { useTill } from './till.ts';

const opened = useTill('stripe');

const refused = { status: 409, body: { code: 'order_has_payment' } };

test('DELETE /orders/{id} refunds no money for a key without orders:write', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  const deleter = await till.store.key('orders:delete');
  const before = await till.fixture.order(id);
  expect(await deleter.delete(`/orders/${id}`)).toMatchObject(refused);
  await till.refund(id, till.price / 2);
  expect(await deleter.delete(`/orders/${id}`)).toMatchObject(refused);
  await till.later(1);
  expect(till.provider.books(reference).refunds).toBe(1);
  expect((await till.fixture.order(id)).status).toBe(before.status);
  await till.refund(id);
  expect((await deleter.delete(`/orders/${id}`)).status).toBe(200);
});

test('DELETE /orders/{id} refunds the money for a key that has orders:write as well', async () => {
  const { till } = opened;
  const { id, reference } = await till.paid();
  const both = await till.store.key('orders:delete', 'orders:write');
  expect(await both.delete(`/orders/${id}`)).toMatchObject({ status: 200, trips: 2 });
  await till.later(1);
  const { paid, refunded } = till.provider.books(reference);
  expect(refunded).toBe(paid);
});

test('DELETE /orders/{id} requires only orders:delete if no money is at a provider', async () => {
  const { till } = opened;
  const deleter = await till.store.key('orders:delete');
  const waiting = await till.newOrder();
  await till.opened(waiting.id);
  const byHand = await till.newOrder({ payment_gateway: 'manual', status: 'completed' });
  for (const { id } of [waiting, byHand]) {
    expect((await deleter.delete(`/orders/${id}`)).status).toBe(200);
  }
});
