import { afterAll, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { behindLock, times, transaction } from './queue.ts';

const opened = useStoreFixture();
afterAll(() => expectIntegrity(opened.fixture));

const grantsLock = 'lock table access_grants in share row exclusive mode';

const grantsOf = async (user_id: number) => {
  const { rows } = await opened.fixture.store.database.query<{ product_id: string }>(
    `select product_id from access_grants where user_id = $1 and status = 'active'`,
    [user_id],
  );
  return rows;
};

test('Two grants by hand at once give access to a product once', async () => {
  const { fixture } = opened;
  const [product, user] = [await fixture.newProduct(), await fixture.newUser()];
  const body = { product_ids: [product.id], mode: 'add' };
  const add = () => fixture.api.post(`/users/${user.id}/access-products`, body);
  await behindLock(fixture.store, grantsLock, times(2, add));
  expect(await grantsOf(user.id)).toHaveLength(1);
});

test('Two replacements of the grants by hand at once leave the products of one of them', async () => {
  const { fixture } = opened;
  const user = await fixture.newUser();
  const products = [await fixture.newProduct(), await fixture.newProduct()];
  const replacements = products.map(({ id }) => {
    const body = { product_ids: [id], mode: 'replace' };
    return () => fixture.api.post(`/users/${user.id}/access-products`, body);
  });
  await behindLock(fixture.store, grantsLock, replacements);
  expect(await grantsOf(user.id)).toHaveLength(1);
});

test('If two grants of a product end at once, the later access.revoked says that the user has no access', async () => {
  const { api, newOrder, newProduct, newUser, store } = opened.fixture;
  const webhook = { name: 'Access', url: 'https://receiver.example/', events: ['access.revoked'] };
  await api.post('/webhooks', webhook);
  const body = { product_id: (await newProduct()).id, user_id: (await newUser()).id };
  const order = await newOrder({ ...body, status: 'completed' });
  const { data: grant } = (await api.post('/access', body)).body;
  await behindLock(store, grantsLock, [
    () => api.patch(`/orders/${order.id}`, { status: 'refunded' }),
    () => api.delete(`/access/${grant.id}`),
  ]);
  const { rows } = await store.database.query<{ can_access: boolean }>(
    `select (data -> 'can_access')::boolean as can_access from outbox
      where event = 'access.revoked' and (data ->> 'user_id')::bigint = $1 order by id`,
    [body.user_id],
  );
  expect(rows).toEqual([{ can_access: true }, { can_access: false }]);
});

long('Control: callers that look for a grant before the lock all add one', async () => {
  const { fixture } = opened;
  const [product, user] = [await fixture.newProduct(), await fixture.newUser()];
  const add = transaction(fixture.store, async (client) => {
    const { rowCount } = await client.query('select from access_grants where user_id = $1', [
      user.id,
    ]);
    if (rowCount !== 0) return false;
    await client.query(
      `insert into access_grants (user_id, product_id, source, status, start, created_at, updated_at)
       values ($1, $2, 'manual', 'active', now(), now(), now())`,
      [user.id, product.id],
    );
    return true;
  });
  await behindLock(fixture.store, grantsLock, times(2, add));
  expect(await grantsOf(user.id)).toHaveLength(2);
});

test('Two resets of all seats at once count as one', async () => {
  const { fixture } = opened;
  const license = { active: true, activation_limit: 2, max_resets: 3 };
  const { id: product_id } = await fixture.newProduct({ license });
  const order = await fixture.newOrder({ product_id, status: 'completed' });
  const list = await fixture.api.get(`/licenses?order_id=${order.id}&reveal=true`);
  const [{ id, code }] = list.body.data;
  await fixture.api.post('/licenses/register', { code, string: 'a.example' });
  const reset = () => fixture.api.post('/licenses/reset', { code });
  const lock = `select from licenses where id = ${id} for update`;
  await behindLock(fixture.store, lock, times(2, reset));
  expect((await fixture.api.get(`/licenses/${id}`)).body.data.reset_count).toBe(1);
});

test('A group that is set by hand while an order completes stays after the refund of that order', async () => {
  const { fixture } = opened;
  const groupOf = async (name: string, priority: number) => {
    const { body } = await fixture.api.post('/user-groups', { name, priority });
    const product = await fixture.newProduct({ group: { update_group_to: body.data.id } });
    return { id: body.data.id, product_id: product.id };
  };
  const [silver, gold] = [await groupOf('Silver', 1), await groupOf('Gold', 10)];
  const user = await fixture.newUser();
  const { product_id } = silver;
  const first = await fixture.newOrder({ product_id, user_id: user.id, status: 'completed' });
  const second = await fixture.newOrder({ product_id: gold.product_id, user_id: user.id });
  const callers = [
    () => fixture.api.post(`/users/${user.id}/group`, { group_id: silver.id }),
    () => fixture.api.patch(`/orders/${second.id}`, { status: 'completed' }),
  ];
  const lock = `select from users where id = ${user.id} for update`;
  await behindLock(fixture.store, lock, callers, { inTurn: true });
  for (const { id } of [second, first]) {
    await fixture.api.patch(`/orders/${id}`, { status: 'refunded' });
  }
  expect((await fixture.user(user.id)).group_id).toBe(silver.id);
});
