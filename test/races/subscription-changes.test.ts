import { afterAll, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();
const fixture = () => opened.fixture;

afterAll(() => expectIntegrity(opened.fixture));

const regular = { duration: 1, period: 'monthly', price: 50_000 };

async function newSubscription(fields: object = {}) {
  const product = await fixture().newProduct({
    subscription: { active: true, regular, ...fields },
  });
  const order = await fixture().newOrder({ product_id: product.id, status: 'completed' });
  const { body } = await fixture().api.get(`/subscriptions?product_id=${product.id}`);
  const renew = (more: object = {}) =>
    fixture().api.post('/orders', {
      product_id: product.id,
      user_id: order.user_id,
      order_parent_id: order.id,
      ...more,
    });
  return { id: body.data[0].id as number, order, renew };
}

const lockOf = (id: number) => `select from subscriptions where id = ${id} for update`;

test('Ten parallel calls end a pause once', async () => {
  const { id } = await newSubscription();
  await fixture().api.post(`/subscriptions/${id}/pause`, {});
  const replies = await behindLock(
    fixture().store,
    lockOf(id),
    times(10, () => fixture().api.post(`/subscriptions/${id}/resume`)),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.code === 'nothing_to_resume')).toHaveLength(9);
});

long('Control: without a lock before the check, all of them end the pause', async () => {
  const { id } = await newSubscription();
  await fixture().api.post(`/subscriptions/${id}/pause`, {});
  const broken = transaction(fixture().store, async (client) => {
    const { rows } = await client.query(`select status from subscriptions where id = ${id}`);
    if (rows[0]?.status !== 'paused') return false;
    await client.query(`select from subscriptions where id = ${id} for update`);
    return true;
  });
  expect(await behindLock(fixture().store, lockOf(id), times(5, broken))).toEqual(
    Array.from({ length: 5 }, () => true),
  );
});

test('Ten parallel calls order the last instalment of a plan once', async () => {
  const { id, renew } = await newSubscription({ payments: 2 });
  const replies = await behindLock(
    fixture().store,
    lockOf(id),
    times(10, () => renew()),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.code === 'plan_complete')).toHaveLength(9);
});

test('Control: without a lock before the count, all of them order the instalment', async () => {
  const { id, order } = await newSubscription({ payments: 2 });
  const broken = transaction(fixture().store, async (client) => {
    const { rows } = await client.query(
      `select from subscription_terms where first_order_id = ${order.id}`,
    );
    if (rows.length > 1) return false;
    await client.query(lockOf(id));
    return true;
  });
  expect(await behindLock(fixture().store, lockOf(id), times(5, broken))).toEqual(
    Array.from({ length: 5 }, () => true),
  );
});

describe.each(['now', 'end'])('Cancelling at %s beside renewals that are ordered or paid', (at) => {
  const callers = ['cancel', 'renew', 'pay'] as const;
  long.each([callers, [...callers].toReversed(), ['renew', 'cancel', 'pay'] as const])(
    'leaves no renewal that waits for money: %s, %s, %s',
    async (...order) => {
      const { id, order: first, renew } = await newSubscription();
      const { body: renewal } = await renew();
      const calls = {
        cancel: () => fixture().api.post(`/subscriptions/${id}/cancel`, { at }),
        renew: () => renew(),
        pay: () => fixture().api.patch(`/orders/${renewal.data.id}`, { status: 'completed' }),
      };
      const replies = await behindLock(
        fixture().store,
        lockOf(id),
        order.map((name) => calls[name]),
        { inTurn: true },
      );
      expect(replies[order.indexOf('cancel')]?.status).toBe(200);
      const { rows } = await fixture().store.database.query(
        `select from orders where order_parent_id = ${first.id} and status = 'on-hold'`,
      );
      expect(rows).toHaveLength(0);
      const { body } = await fixture().api.get(`/subscriptions/${id}`);
      expect(body.data.status === 'cancelled' || body.data.scheduled !== null).toBe(true);
    },
  );
});

test('Control: renewals that are read before the cancellation are left behind', async () => {
  const { id, order } = await newSubscription();
  const looking = transaction(fixture().store, async (client) => {
    const { rows } = await client.query(
      `select from orders where order_parent_id = ${order.id} and status = 'on-hold'`,
    );
    await client.query(lockOf(id));
    return rows.length === 0;
  });
  const placing = transaction(fixture().store, async (client) => {
    const { rows } = await client.query(`select cancelled_at from subscriptions where id = ${id}`);
    await client.query(lockOf(id));
    return rows[0]?.cancelled_at === null;
  });
  expect(await behindLock(fixture().store, lockOf(id), [looking, placing])).toEqual([true, true]);
});
