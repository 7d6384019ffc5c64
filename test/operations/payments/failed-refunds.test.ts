import { afterAll, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { baseUrl } from '../../harness/store.ts';
import { useTill } from './till.ts';

const opened = useTill('stripe');
afterAll(() => expectIntegrity(opened.till.fixture));

/** Lets the provider decide on the requested refunds. */
async function settle(outcome: 'succeeded' | 'failed'): Promise<void> {
  const { till } = opened;
  await till.later(1);
  till.provider.settleRefunds?.(outcome);
  till.lose();
  await till.later(6 * 3600);
}

/** A paid order whose refund the provider refuses. */
async function failed(amount?: number) {
  const { till } = opened;
  const { id: order_id, reference } = await till.paid();
  const id = await failedOf(order_id, amount);
  return { order_id, id, reference };
}

async function failedOf(order_id: number, amount?: number): Promise<number> {
  const refund = await opened.till.refund(order_id, amount);
  expect(refund).toMatchObject({ state: 'requested', paid_by_hand_at: null });
  await settle('failed');
  return refund.id;
}

async function noted(id: number): Promise<void> {
  const reply = await opened.till.fixture.api.post(`/refunds/${id}`, { action: 'paid_by_hand' });
  expect(reply.status).toBe(200);
}

const ofState = async (state: string) =>
  (await opened.till.fixture.api.get(`/refunds?state=${state}`)).body.data;

const waiting = async () =>
  (await opened.till.fixture.api.get('/overview')).body.data.to_do.refunds_failed;

test('GET /refunds shows how far the money of a refund is, from the request to the buyer', async () => {
  const { till } = opened;
  const { id: order_id } = await till.paid();
  const { number } = await till.fixture.order(order_id);
  const { id } = await till.refund(order_id);
  const order = { id: order_id, number, deleted_at: null };
  expect(await ofState('requested')).toMatchObject([{ id, order, state: 'requested' }]);
  await settle('succeeded');
  expect(await ofState('requested')).toEqual([]);
  expect(await ofState('succeeded')).toMatchObject([{ id, order, state: 'succeeded' }]);
  const { token } = await till.store.createKey();
  const file = await till.store.fetch(
    new Request(`${baseUrl}/api/svc/v1/refunds.csv?state=succeeded`, {
      headers: { authorization: `Bearer ${token}` },
    }),
  );
  const [header, line] = (await file.text()).split('\n');
  expect(header).toContain(',state,');
  expect(line).toContain(',succeeded,');
});

test('GET /refunds and the overview show a failed refund until somebody records that they paid it', async () => {
  const { till } = opened;
  const before = await waiting();
  const { id, order_id } = await failed();
  expect(await till.refunds(order_id)).toMatchObject([{ id, state: 'failed' }]);
  expect(await waiting()).toBe(before + 1);
  const path = `/refunds/${id}`;
  const paid = await till.fixture.api.post(path, { action: 'paid_by_hand' });
  expect(paid).toMatchObject({ status: 200, trips: 2, body: { data: { state: 'paid_by_hand' } } });
  expect(paid.body.data.paid_by_hand_at).not.toBeNull();
  expect(await till.refunds(order_id)).toMatchObject([{ id, state: 'paid_by_hand' }]);
  expect(await ofState('paid_by_hand')).toMatchObject([{ id }]);
  expect(await waiting()).toBe(before);
  expect(await till.fixture.api.post(path, { action: 'paid_by_hand' })).toMatchObject({
    status: 409,
    body: { code: 'refund_not_failed' },
  });
});

test('GET /refunds keeps the failed refund of an order that was deleted, and it is paid by hand', async () => {
  const { till } = opened;
  const before = await waiting();
  const { id: order_id } = await till.paid();
  expect((await till.fixture.api.delete(`/orders/${order_id}`)).status).toBe(200);
  await settle('failed');
  expect(await waiting()).toBe(before + 1);
  const [refund] = await ofState('failed');
  expect(refund).toMatchObject({ order: { id: order_id } });
  expect(refund.order.deleted_at).not.toBeNull();
  const paid = await till.fixture.api.post(`/refunds/${refund.id}`, { action: 'paid_by_hand' });
  expect(paid.status).toBe(200);
  expect(await waiting()).toBe(before);
});

test('a dashboard refund pays the failed refund that nobody paid by hand, not one of the same amount', async () => {
  const { till } = opened;
  const { id: first, order_id, reference } = await failed(1000);
  const second = await failedOf(order_id, 1000);
  await noted(first);
  till.provider.refundByHand(reference, 1000);
  await till.bring();
  expect(await till.refunds(order_id)).toMatchObject([
    { id: second, state: 'succeeded' },
    { id: first, state: 'paid_by_hand' },
  ]);
});

test('a dashboard refund after a failed one was paid by hand counts as another, and no more than the payment goes back', async () => {
  const { till } = opened;
  const { id, order_id, reference } = await failed(1000);
  await noted(id);
  till.provider.refundByHand(reference, 1000);
  await till.bring();
  expect((await till.fixture.order(order_id)).refunded_total).toBe(2000);
  await till.refund(order_id);
  await settle('succeeded');
  expect(await till.refunds(order_id)).toMatchObject([
    { amount: till.price - 2000, state: 'succeeded' },
    { amount: 1000, state: 'succeeded' },
    { id, amount: 1000, state: 'paid_by_hand' },
  ]);
  const { paid, refunded } = till.provider.books(reference);
  expect(refunded).toBe(paid - 1000);
});

test('a dashboard refund of all failed refunds at once pays each of them', async () => {
  const { till } = opened;
  const { order_id, reference } = await failed(1000);
  await failedOf(order_id, 2000);
  till.provider.refundByHand(reference, 3000);
  await till.bring();
  expect(await till.refunds(order_id)).toMatchObject([
    { amount: 2000, state: 'succeeded' },
    { amount: 1000, state: 'succeeded' },
  ]);
  expect((await till.fixture.order(order_id)).refunded_total).toBe(3000);
});

test.each(['refunded', 'deleted'])(
  'a dashboard refund of a part of a failed one leaves the rest to be paid by hand, of an order that is %s',
  async (end) => {
    const { till } = opened;
    const { order_id, id, reference } = await failed();
    if (end === 'deleted') await till.fixture.api.delete(`/orders/${order_id}`);
    till.provider.refundByHand(reference, 1000);
    await till.bring();
    till.provider.refundByHand(reference, 500);
    await till.bring();
    const { body } = await till.fixture.api.get(`/refunds?order_id=${order_id}`);
    expect(body.data).toMatchObject([
      { amount: till.price - 1500, state: 'failed' },
      { amount: 500, state: 'succeeded' },
      { id, amount: 1000, state: 'succeeded' },
    ]);
    await noted(body.data[0].id);
    await till.later(6 * 3600);
    expect((await till.fixture.api.get(`/refunds?order_id=${order_id}`)).body.data).toMatchObject([
      { state: 'paid_by_hand' },
      { state: 'succeeded' },
      { state: 'succeeded' },
    ]);
  },
);

test('POST /refunds/{id} refuses a refund that has not failed, and one that nobody made', async () => {
  const { till } = opened;
  const { id: order_id } = await till.paid();
  const { id } = await till.refund(order_id);
  const body = { action: 'paid_by_hand' };
  expect(await till.fixture.api.post(`/refunds/${id}`, body)).toMatchObject({ status: 409 });
  const byHand = await till.newOrder({ payment_gateway: 'manual', status: 'completed' });
  const manual = await till.refund(byHand.id);
  expect(manual.state).toBe('manual');
  expect(await ofState('manual')).toMatchObject([{ id: manual.id }]);
  expect(await till.fixture.api.post(`/refunds/${manual.id}`, body)).toMatchObject({ status: 409 });
  expect(await till.fixture.api.post('/refunds/999999', body)).toMatchObject({ status: 404 });
});

test('The overview counts the refunds of seven days that no provider pays', async () => {
  const { till } = opened;
  const { fixture } = till;
  const byHand = async () => (await fixture.api.get('/overview')).body.data.to_do.refunds_by_hand;
  const before = await byHand();
  const order = await fixture.newOrder({ product_id: till.product_id, status: 'completed' });
  const refund = await till.refund(order.id);
  expect(refund.state).toBe('manual');
  expect(await byHand()).toBe(before + 1);
  // Changes of orders draw ids, too.
  await fixture.store.database.query(
    `select nextval('refunds_id_seq') from generate_series(1, 9000)`,
  );
  const later = await fixture.newOrder({ product_id: till.product_id, status: 'completed' });
  await till.refund(later.id);
  expect(await byHand()).toBe(before + 2);
  await failed();
  expect(await byHand()).toBe(before + 2);
  await till.later(7 * 86_400);
  expect(await byHand()).toBe(0);
});
