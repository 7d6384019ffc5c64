import { expect, test } from 'vitest';
import { baseUrl } from '../../harness/store.ts';
import { useTill } from './till.ts';

const opened = useTill('stripe');

/** Lets the provider decide on what it was asked to give back. */
async function settle(outcome: 'succeeded' | 'failed'): Promise<void> {
  const { till } = opened;
  await till.later(1);
  till.provider.settleRefunds?.(outcome);
  till.lose();
  await till.later(6 * 3600);
}

/** A paid order whose refund the provider refuses. */
async function failed(): Promise<{ order_id: number; id: number }> {
  const { till } = opened;
  const { id: order_id } = await till.paid();
  const refund = await till.refund(order_id);
  expect(refund).toMatchObject({ state: 'requested', paid_by_hand_at: null });
  await settle('failed');
  return { order_id, id: refund.id };
}

const ofState = async (state: string) =>
  (await opened.till.shop.api.get(`/refunds?state=${state}`)).body.data;

const waiting = async () =>
  (await opened.till.shop.api.get('/overview')).body.data.to_do.refunds_failed;

test('GET /refunds shows where the money of a refund is, from the request to the buyer', async () => {
  const { till } = opened;
  const { id: order_id } = await till.paid();
  const { number } = await till.shop.order(order_id);
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

test('GET /refunds and the overview tell of a failed refund until somebody notes that they paid it', async () => {
  const { till } = opened;
  const before = await waiting();
  const { id, order_id } = await failed();
  expect(await till.refunds(order_id)).toMatchObject([{ id, state: 'failed' }]);
  expect(await waiting()).toBe(before + 1);
  const path = `/refunds/${id}`;
  const paid = await till.shop.api.post(path, { action: 'paid_by_hand' });
  expect(paid).toMatchObject({ status: 200, trips: 2, body: { data: { state: 'paid_by_hand' } } });
  expect(paid.body.data.paid_by_hand_at).not.toBeNull();
  expect(await till.refunds(order_id)).toMatchObject([{ id, state: 'paid_by_hand' }]);
  expect(await ofState('paid_by_hand')).toMatchObject([{ id }]);
  expect(await waiting()).toBe(before);
  expect(await till.shop.api.post(path, { action: 'paid_by_hand' })).toMatchObject({
    status: 409,
    body: { code: 'refund_not_failed' },
  });
});

test('GET /refunds keeps the failed refund of an order that was deleted, and it is paid by hand', async () => {
  const { till } = opened;
  const before = await waiting();
  const { id: order_id } = await till.paid();
  expect((await till.shop.api.delete(`/orders/${order_id}`)).status).toBe(200);
  await settle('failed');
  expect(await waiting()).toBe(before + 1);
  const [refund] = await ofState('failed');
  expect(refund).toMatchObject({ order: { id: order_id } });
  expect(refund.order.deleted_at).not.toBeNull();
  const paid = await till.shop.api.post(`/refunds/${refund.id}`, { action: 'paid_by_hand' });
  expect(paid.status).toBe(200);
  expect(await waiting()).toBe(before);
});

test('POST /refunds/{id} refuses a refund that has not failed, and one that nobody made', async () => {
  const { till } = opened;
  const { id: order_id } = await till.paid();
  const { id } = await till.refund(order_id);
  const body = { action: 'paid_by_hand' };
  expect(await till.shop.api.post(`/refunds/${id}`, body)).toMatchObject({ status: 409 });
  const byHand = await till.newOrder({ payment_gateway: 'manual', status: 'completed' });
  const manual = await till.refund(byHand.id);
  expect(manual.state).toBe('manual');
  expect(await ofState('manual')).toMatchObject([{ id: manual.id }]);
  expect(await till.shop.api.post(`/refunds/${manual.id}`, body)).toMatchObject({ status: 409 });
  expect(await till.shop.api.post('/refunds/999999', body)).toMatchObject({ status: 404 });
});
