import { afterAll, describe, expect, test } from 'vitest';
import { expectIntegrity } from '../../harness/integrity.ts';
import { useCounter } from './transfers.ts';

const opened = useCounter();

afterAll(() => expectIntegrity(opened.counter.fixture));

describe('A person who decides on a transfer', () => {
  const unknown = async () => {
    const id = opened.counter.transfer(1234);
    await opened.counter.bring();
    return id;
  };

  test('assigns it to the order that it pays, whatever the amount is', async () => {
    const { counter } = opened;
    const id = await unknown();
    const order = await counter.newOrder();
    const reply = await counter.resolve(id, { action: 'assign', order_id: order.id });
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { mutation_id: id, status: 'matched', order_id: order.id, version: 2 } },
    });
    const { status, history } = await counter.fixture.order(order.id);
    expect(status).toBe('completed');
    expect(history[1]).toMatchObject({ actor_type: 'key', note: 'Transfer found by moota.' });
  });

  test('assigns it to an order on delivery, which is then paid and has no delivery fee', async () => {
    const { counter } = opened;
    const { api } = counter.fixture;
    const product = { price: 70_000, type: 'physical', cod: { active: true, fee: 5000 } };
    const { id: product_id } = await counter.fixture.newProduct(product);
    const { id: order_id } = await counter.fixture.newOrder({ product_id });
    const switched = await api.patch(`/orders/${order_id}`, { payment_gateway: 'cod' });
    expect(switched.body.data).toMatchObject({ status: 'on-hold', grand_total: 75_000 });
    const id = counter.transfer(70_000);
    await counter.bring();
    const reply = await counter.resolve(id, { action: 'assign', order_id });
    expect(reply).toMatchObject({ status: 200 });
    expect(await counter.fixture.order(order_id)).toMatchObject({
      ...{ status: 'in-progress', payment_status: 'paid', payment_gateway: 'manual' },
      ...{ grand_total: 70_000, fee_total: 0, unique_code: 0 },
    });
  });

  test('decides again on the transfer of an order that was paid and waits for its payment again', async () => {
    const { counter } = opened;
    const webhook = await counter.fixture.api.post('/webhooks', {
      url: 'http://127.0.0.1:1/',
      events: ['mutation.unmatched'],
      status: 'paused',
    });
    const order = await counter.newOrder();
    const id = counter.transfer(order.grand_total);
    await counter.bring();
    const patch = (status: string) => counter.fixture.api.patch(`/orders/${order.id}`, { status });
    const first = await counter.mutation(id);
    expect(first).toMatchObject({ status: 'matched', order_id: order.id });
    // A paid order that is cancelled is refunded, so its transfer is settled.
    for (const status of ['in-progress', 'cancelled', 'on-hold']) await patch(status);
    expect(await counter.mutation(id)).toEqual(first);
    counter.store.clock.advance(60);
    const next = counter.transfer(1234);
    await counter.bring();
    await counter.resolve(next, { action: 'assign', order_id: order.id });
    for (const status of ['in-progress', 'on-hold']) {
      expect((await patch(status)).body.data.status).toBe(status);
    }
    expect(await counter.mutation(id)).toEqual(first);
    expect(await counter.mutation(next)).toMatchObject({ status: 'open', order_id: null });
    const { rows } = await counter.store.database.query(
      'select data from outbox where webhook_id = $1 order by id desc limit 1',
      [webhook.body.data.id],
    );
    expect(rows).toEqual([{ data: await counter.mutation(next) }]);
    const other = await counter.newOrder();
    await counter.resolve(next, { action: 'assign', order_id: other.id });
    expect(await counter.status(other.id)).toBe('completed');
  });

  test('assigns it to its order again, whose refunds still count', async () => {
    const { counter } = opened;
    const order = await counter.newOrder();
    const path = `/orders/${order.id}`;
    const id = counter.transfer(order.grand_total);
    await counter.bring();
    await counter.fixture.api.post(`${path}/refunds`, { amount: 200_000 });
    for (const status of ['in-progress', 'on-hold'])
      await counter.fixture.api.patch(path, { status });
    const assigned = await counter.resolve(id, { action: 'assign', order_id: order.id });
    expect(assigned.status).toBe(200);
    const paid = { payment_status: 'partially-refunded', refunded_total: 200_000 };
    expect(await counter.fixture.order(order.id)).toMatchObject(paid);
  });

  test('ignores it, once', async () => {
    const { counter } = opened;
    const id = await unknown();
    expect(await counter.resolve(id, { action: 'ignore' })).toMatchObject({
      status: 200,
      body: { data: { status: 'ignored', order_id: null } },
    });
    for (const action of ['ignore', 'assign']) {
      const order = await counter.newOrder();
      expect(await counter.resolve(id, { action, order_id: order.id })).toMatchObject({
        status: 409,
        body: { code: 'payment_resolved' },
      });
      expect(await counter.status(order.id)).toBe('on-hold');
    }
  });

  test('gets a refusal with the reason for each impossible decision', async () => {
    const { counter } = opened;
    const id = await unknown();
    const cancelled = await counter.newOrder();
    await counter.fixture.api.patch(`/orders/${cancelled.id}`, { status: 'cancelled' });
    for (const [body, status, code] of [
      [{ action: 'assign' }, 400, 'rest_missing_callback_param'],
      [{ action: 'assign', order_id: 999_999 }, 404, 'rest_not_found'],
      [{ action: 'assign', order_id: cancelled.id }, 409, 'order_not_payable'],
    ] as const) {
      expect(await counter.resolve(id, body)).toMatchObject({ status, body: { code } });
    }
    expect(await counter.mutation(id)).toMatchObject({ status: 'open', version: 1 });
    const missing = await counter.fixture.api.post('/payments/mutations/999999', {
      action: 'ignore',
    });
    expect(missing.status).toBe(404);
  });

  test('lists transfers by status, with their number', async () => {
    const { counter } = opened;
    await unknown();
    await counter.resolve(await unknown(), { action: 'ignore' });
    counter.transfer((await counter.newOrder()).grand_total);
    await counter.bring();
    for (const status of ['matched', 'open', 'ignored']) {
      const reply = await counter.fixture.api.get(
        `/payments/mutations?per_page=1&status=${status}`,
      );
      const { rows } = await counter.store.database.query(
        'select count(*)::int from bank_mutations where status = $1',
        [status],
      );
      expect(reply.body.meta.pagination.total).toBe(rows[0]?.count);
      expect(rows[0]?.count).toBeGreaterThan(0);
    }
  });

  test('needs the scopes for deciding about bank entries', async () => {
    const { counter } = opened;
    const reader = await counter.store.key('payments:read');
    expect((await reader.get('/payments/mutations')).status).toBe(200);
    const id = (await counter.mutation(await unknown()))?.id;
    expect((await reader.post(`/payments/mutations/${id}`, { action: 'ignore' })).status).toBe(403);
  });
});
