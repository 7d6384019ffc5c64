import { afterAll, beforeAll, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, transaction } from './queue.ts';
import { expectIntegrity } from '../harness/integrity.ts';

const opened = useStoreFixture();

afterAll(() => expectIntegrity(opened.fixture));
const fixture = () => opened.fixture;

const regular = { duration: 1, period: 'monthly', price: 50_000 };
const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
let club: number;

beforeAll(async () => {
  const product = await fixture().newProduct({
    subscription: { active: true, regular, tryout },
  });
  club = product.id;
});

const trial = (user_id: number) => () =>
  fixture().api.post('/orders', { product_id: club, user_id, type: 'subscription-tryout' });

const lockTrials = (user: number) =>
  `select pg_advisory_xact_lock(hashtextextended('first-order:${user}:${club}', 0))`;

test('of 20 parallel orders, a user gets one trial', async () => {
  const { id } = await fixture().newUser();
  const callers = Array.from({ length: 20 }, () => trial(id));
  const replies = await behindLock(fixture().store, lockTrials(id), callers);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.code === 'tryout_used')).toHaveLength(19);
  const { body } = await fixture().api.get(`/access?user_id=${id}`);
  expect(body.meta.pagination.total).toBe(1);
});

long('control: a check before the lock lets all of them in', async () => {
  const { id } = await fixture().newUser();
  const broken = transaction(fixture().store, async (client) => {
    const { rows } = await client.query(
      'select from orders where user_id = $1 and product_id = $2',
      [id, club],
    );
    if (rows.length > 0) return false;
    await client.query(lockTrials(id));
    return true;
  });
  const callers = Array.from({ length: 20 }, () => broken);
  const results = await behindLock(fixture().store, lockTrials(id), callers);
  expect(results.filter(Boolean)).toHaveLength(20);
});

long('renewals that complete at the same time all add their term', async () => {
  fixture().store.clock.set('2026-01-10T09:00:00Z');
  const { id, user_id } = await fixture().newOrder({
    product_id: club,
    type: 'subscription-regular',
    status: 'completed',
  });
  const renewals = [];
  for (let i = 0; i < 3; i++) {
    renewals.push(await fixture().newOrder({ product_id: club, user_id, order_parent_id: id }));
  }
  const replies = await behindLock(
    fixture().store,
    `select from subscriptions where first_order_id = ${id} for update`,
    renewals.map(
      (order) => () => fixture().api.patch(`/orders/${order.id}`, { status: 'completed' }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await fixture().api.get(`/access/check?user_id=${user_id}&product_id=${club}`);
  expect(body.detail.end_active).toBe('2026-05-10T09:00:00.000Z');
});
