import { expect, test } from 'vitest';
import { useTill } from './till.ts';

const opened = useTill('stripe');

/** A payment for an order that was cancelled meanwhile. */
async function stray() {
  const { till } = opened;
  const order = await till.newOrder();
  const reference = await till.opened(order.id);
  till.provider.pay(reference);
  await till.fixture.api.patch(`/orders/${order.id}`, { status: 'cancelled' });
  await till.bring();
  const [row] = await till.unexpected(order.id);
  return { reference, id: row.id as number, order_id: order.id };
}

test('an unexpected payment is refunded less the part that the dashboard gave back', async () => {
  const { till } = opened;
  const { reference, id } = await stray();
  till.provider.refundByHand(reference, 100);
  await till.bring();
  const { body } = await till.fixture.api.get('/payments/unexpected?status=open');
  expect(body.data).toContainEqual(expect.objectContaining({ id, refunded_total: 100 }));
  const reply = await till.fixture.api.post(`/payments/unexpected/${id}`, { action: 'refund' });
  expect(reply.status).toBe(200);
  await till.later(1);
  const { paid, refunded, refunds } = till.provider.books(reference);
  expect({ refunded, refunds }).toEqual({ refunded: paid, refunds: 2 });
});

test('an unexpected payment that is paid back by hand counts as refunded once, less the part that the dashboard gave back', async () => {
  const { till } = opened;
  const { reference, id, order_id } = await stray();
  till.provider.refundByHand(reference, 100);
  await till.bring();
  const action = 'paid_by_hand';
  expect((await till.fixture.api.post(`/payments/unexpected/${id}`, { action })).status).toBe(200);
  const { body } = await till.fixture.api.get(`/payments/unexpected?order_id=${order_id}`);
  expect(body.data).toMatchObject([{ status: 'refunded', amount: till.price }]);
  expect(body.data[0].refunded_total).toBe(till.price);
});

test('an unexpected payment counts as refunded, and can pay no order, once the dashboard gave it back after our refund failed', async () => {
  const { till } = opened;
  const { reference, id, order_id } = await stray();
  const resolve = (action: string) =>
    till.fixture.api.post(`/payments/unexpected/${id}`, { action });
  till.provider.refundByHand(reference, 100);
  await till.bring();
  expect((await resolve('refund')).status).toBe(200);
  await till.later(1);
  till.provider.settleRefunds?.('failed');
  till.lose();
  await till.later(6 * 3600);
  expect(await till.unexpected(order_id)).toMatchObject([{ status: 'open' }]);
  till.provider.refundByHand(reference);
  await till.bring();
  expect(await till.unexpected(order_id)).toMatchObject([{ status: 'refunded' }]);
  await till.fixture.api.patch(`/orders/${order_id}`, { status: 'on-hold' });
  expect(await resolve('accept')).toMatchObject({
    status: 409,
    body: { code: 'payment_resolved' },
  });
  expect(await till.fixture.order(order_id)).toMatchObject({ status: 'on-hold', paid_at: null });
});

test('an order waits for its payment again once a wrong amount for it is refunded at the dashboard', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.pay(reference, { amount: till.price / 2 });
  await till.bring();
  expect(await till.fixture.order(id)).toMatchObject({ status: 'payment-confirm' });
  till.provider.refundByHand(reference);
  await till.bring();
  await till.later(150);
  expect((await till.unexpected(id))[0]).toMatchObject({ status: 'refunded' });
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
});

test('an order with a payment proof and a wrong amount waits for the review once the amount is refunded', async () => {
  const { till } = opened;
  const { api } = till.fixture;
  const { id } = await till.newOrder();
  till.provider.pay(await till.opened(id), { amount: till.price / 2 });
  await till.bring();
  const proof = await api.post('/confirmations', { order_id: id, total: till.price });
  const [row] = await till.unexpected(id);
  expect((await api.post(`/payments/unexpected/${row.id}`, { action: 'refund' })).status).toBe(200);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'payment-confirm' });
  const approved = await api.post(`/confirmations/${proof.body.data.id}`, { status: 'approved' });
  expect(approved.status).toBe(200);
  expect(await till.fixture.order(id)).toMatchObject({ status: 'completed' });
});

test.each(['rejected', 'deleted'])(
  'an order with a wrong amount and a payment proof that is %s waits until the amount is decided',
  async (how) => {
    const { api } = opened.till.fixture;
    const { till } = opened;
    const { id } = await till.newOrder();
    till.provider.pay(await till.opened(id), { amount: till.price / 2 });
    await till.bring();
    const { body } = await api.post('/confirmations', { order_id: id, total: till.price });
    const path = `/confirmations/${body.data.id}`;
    const review = { status: 'rejected', reject_reason: 'No such transfer.' };
    const reply = how === 'rejected' ? await api.post(path, review) : await api.delete(path);
    expect(reply.status).toBe(200);
    expect(await till.fixture.order(id)).toMatchObject({ status: 'payment-confirm' });
    const [row] = await till.unexpected(id);
    await api.post(`/payments/unexpected/${row.id}`, { action: 'refund' });
    expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold' });
  },
);

test('a lost dispute refunds an order that money paid whose refund had failed', async () => {
  const { till } = opened;
  const { reference, id, order_id } = await stray();
  const resolve = (action: string) =>
    till.fixture.api.post(`/payments/unexpected/${id}`, { action });
  expect((await resolve('refund')).status).toBe(200);
  await till.later(1);
  till.provider.settleRefunds?.('failed');
  await till.bring();
  await till.later(6 * 3600);
  expect(await till.unexpected(order_id)).toMatchObject([{ status: 'open' }]);
  await till.fixture.api.patch(`/orders/${order_id}`, { status: 'on-hold' });
  expect((await resolve('accept')).status).toBe(200);
  expect(await till.fixture.order(order_id)).toMatchObject({ status: 'completed' });
  for (const state of ['open', 'lost'] as const) {
    till.provider.dispute?.(reference, state);
    await till.bring();
  }
  await till.later(120);
  expect(await till.fixture.order(order_id)).toMatchObject({ status: 'refunded' });
});

test('a wrong amount that somebody paid back by hand pays nothing, and its order waits again', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  till.provider.pay(await till.opened(id), { amount: till.price / 2 });
  await till.bring();
  const [row] = await till.unexpected(id);
  const resolve = () =>
    till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'paid_by_hand' });
  expect(await resolve()).toMatchObject({ status: 200, body: { data: { status: 'refunded' } } });
  expect(await till.fixture.order(id)).toMatchObject({ status: 'on-hold', paid_at: null });
  expect(await resolve()).toMatchObject({ status: 409, body: { code: 'payment_resolved' } });
  await till.later(3600);
  expect(await till.unexpected(id)).toMatchObject([{ status: 'refunded' }]);
});

test('a part of accepted money that the dashboard had refunded becomes a refund of the order', async () => {
  const { till } = opened;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.pay(reference, { amount: till.price + 3000 });
  await till.bring();
  till.provider.refundByHand(reference, 4000);
  await till.bring();
  const [row] = await till.unexpected(id);
  await till.fixture.api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
  await till.later(1);
  const booked = { status: 'completed', refunded_total: 1000 };
  expect(await till.fixture.order(id)).toMatchObject(booked);
  await till.refund(id);
  await till.later(1);
  const { paid, refunded } = till.provider.books(reference);
  expect(refunded).toBe(paid);
  const refunds: { state: string }[] = await till.refunds(id);
  expect(refunds.map(({ state }) => state)).not.toContain('manual');
});

test('an unexpected payment is listed with the number of its order, also of a deleted one', async () => {
  const { till } = opened;
  const { id } = await stray();
  const { body } = await till.fixture.api.get('/payments/unexpected?status=open');
  const listed = body.data.find((row: { id: number }) => row.id === id);
  const order = await till.fixture.order(listed.order_id);
  expect(listed.order).toEqual({ id: order.id, number: order.number, deleted_at: null });
  await till.fixture.api.delete(`/orders/${order.id}`);
  const again = await till.fixture.api.get(`/payments/unexpected?order_id=${order.id}`);
  expect(again.body.data[0].order).toMatchObject({
    number: order.number,
    deleted_at: expect.any(String),
  });
});

test('an unexpected payment is decided on once', async () => {
  const { till } = opened;
  const { id } = await stray();
  const decide = (action: string) =>
    till.fixture.api.post(`/payments/unexpected/${id}`, { action });
  expect((await decide('accept')).status).toBe(200);
  expect(await decide('refund')).toMatchObject({
    status: 409,
    body: { code: 'payment_resolved' },
  });
});

test('the steps to pay an order name no accounts where its provider was switched off', async () => {
  const { till } = opened;
  const order = await till.newOrder();
  await till.store.database.query(
    `update orders set payment_gateway = 'gone', version = version + 1 where id = $1`,
    [order.id],
  );
  const reply = await till.fixture.api.get(`/orders/${order.id}/payment-instructions`);
  expect(reply.body.data).toMatchObject({ steps: [], accounts: [] });
});

test('a cancelled order whose buyer had paid more than it costs waits for no payment while the provider has the rest', async () => {
  const { till } = opened;
  const { api } = till.fixture;
  const { id } = await till.newOrder();
  const reference = await till.opened(id);
  till.provider.pay(reference, { amount: till.price + 1000 });
  await till.bring();
  const [row] = await till.unexpected(id);
  await api.post(`/payments/unexpected/${row.id}`, { action: 'accept' });
  for (const status of ['in-progress', 'cancelled']) await api.patch(`/orders/${id}`, { status });
  await till.later(10);
  expect(till.provider.books(reference)).toMatchObject({ refunded: till.price });
  const refused = { status: 409, body: { code: 'order_has_payment' } };
  expect(await api.patch(`/orders/${id}`, { status: 'on-hold' })).toMatchObject(refused);
});

test('a payment whose order can’t be changed because of a fault is an unexpected one, and other payments go on', async () => {
  const { till } = opened;
  const { database } = till.store;
  const [broken, other] = [await till.newOrder(), await till.newOrder()];
  for (const { id } of [broken, other]) till.provider.pay(await till.opened(id));
  till.lose();
  await database.query(`create function fail() returns trigger language plpgsql as
    $$ begin if new.id = ${broken.id} then raise division_by_zero; end if; return new; end $$`);
  await database.query(
    'create trigger fail before update on orders for each row execute function fail()',
  );
  try {
    await till.later(150);
  } finally {
    await database.query('drop function fail cascade');
  }
  expect(await till.unexpected(broken.id)).toMatchObject([{ status: 'open', amount: till.price }]);
  expect(await till.fixture.order(broken.id)).toMatchObject({ status: 'on-hold' });
  expect(await till.fixture.order(other.id)).toMatchObject({ status: 'completed' });
});
