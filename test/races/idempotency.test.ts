import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();

const callers = 20;
const lock = 'lock table orders in share mode';

async function arrange() {
  const { fixture } = opened;
  const product = await fixture.newProduct();
  const user = await fixture.newUser();
  return { product_id: product.id, user_id: user.id };
}

async function ordersOf(user_id: number): Promise<number> {
  const { body } = await opened.fixture.api.get(`/orders?user_id=${user_id}`);
  return body.data.length;
}

describe('Of 20 parallel requests with one Idempotency-Key', () => {
  test('one places an order, and all get its answer', async () => {
    const { fixture } = opened;
    const body = await arrange();
    const headers = { 'idempotency-key': 'twins' };
    const order = () => fixture.api.post('/orders', body, { headers });
    // Opens the connections before, because a duplicate waits only two seconds.
    await Promise.all(times(callers, () => fixture.api.get('/orders')).map((read) => read()));
    const replies = await behindLock(fixture.store, lock, times(callers, order));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    const replayed = replies.filter(({ headers }) => headers.has('idempotency-replayed'));
    expect(replayed).toHaveLength(callers - 1);
    expect(await ordersOf(body.user_id)).toBe(1);
  });

  long('control: looking for the key before the write places more than one', async () => {
    const { fixture } = opened;
    const { product_id, user_id } = await arrange();
    const order = transaction(fixture.store, async (client) => {
      const { rowCount } = await client.query(`select from idempotency_keys where key = 'control'`);
      if (rowCount) return false;
      await client.query(
        `insert into orders (number, product_id, user_id, quantity, status, payment_gateway,
                               currency, created_at, updated_at)
           values (gen_random_uuid(), $1, $2, 1, 'on-hold', 'manual', 'USD', now(), now())`,
        [product_id, user_id],
      );
      await client.query(
        `insert into idempotency_keys values ('key:1', 'orders.create', 'control', '', 201, '',
                                                now()) on conflict do nothing`,
      );
      return true;
    });
    await behindLock(fixture.store, lock, times(callers, order));
    expect(await ordersOf(user_id)).toBeGreaterThan(1);
  });
});

describe('A request whose duplicate is still in progress', () => {
  test('is told to retry after two seconds, and then gets the answer of the first', async () => {
    const { fixture } = opened;
    const body = await arrange();
    const headers = { 'idempotency-key': 'slow' };
    const order = () => fixture.api.post('/orders', body, { headers });
    const fault = fixture.store.neon.faults.next({
      statement: 'svc_claim_idempotency',
      hold: true,
    });
    const first = order();
    await fault.reached;
    const twin = await order();
    expect(twin).toMatchObject({ status: 409, body: { code: 'rest_idempotency_in_progress' } });
    expect(twin.headers.get('retry-after')).toBe('2');
    fault.release();
    const placed = await first;
    expect(placed.status).toBe(201);
    const again = await order();
    expect(again).toMatchObject({ status: 201, body: placed.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await ordersOf(body.user_id)).toBe(1);
  });

  test('runs if the first one fails', async () => {
    const { fixture } = opened;
    const body = await arrange();
    const headers = { 'idempotency-key': 'cut' };
    const order = () => fixture.api.post('/orders', body, { headers });
    fixture.store.neon.faults.next({ statement: 'svc_claim_idempotency', cut: 'before commit' });
    const cut = await order();
    expect(cut).toMatchObject({ status: 503, body: { code: 'rest_unavailable' } });
    const again = await order();
    expect(again.status).toBe(201);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    expect(await ordersOf(body.user_id)).toBe(1);
  });

  test('gets the stored answer if the first answer was lost', async () => {
    const { fixture } = opened;
    const body = await arrange();
    const headers = { 'idempotency-key': 'lost' };
    const order = () => fixture.api.post('/orders', body, { headers });
    fixture.store.neon.faults.next({ statement: 'svc_claim_idempotency', cut: 'after commit' });
    expect((await order()).status).toBe(503);
    const again = await order();
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await ordersOf(body.user_id)).toBe(1);
    const other = await fixture.api.post('/orders', { ...body, quantity: 2 }, { headers });
    expect(other).toMatchObject({ status: 422, body: { code: 'rest_idempotency_mismatch' } });
  });
});
