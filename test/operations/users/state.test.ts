import { beforeAll, describe, expect, test } from 'vitest';
import { runJobs } from '../../../src/jobs/index.ts';
import { toldStates } from '../../harness/states.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

// This webhook records every event.
beforeAll(async () => {
  await opened.fixture.api.post('/webhooks', { url: 'http://127.0.0.1:1/', events: ['*'] });
});

test('The state of a user is their live access, running subscriptions, masked licences and group', async () => {
  const { fixture } = opened;
  const group = await fixture.api.post('/user-groups', { name: 'Gold' });
  const user = await fixture.newUser({
    group_id: group.body.data.id,
    external_ids: { forum: 'f-7' },
  });
  const product = await fixture.newProduct({
    payment_type: 'recurring',
    subscription: { active: true, duration: 1, period: 'month' },
    license: { active: true, count: 1 },
  });
  await fixture.newOrder({ product_id: product.id, user_id: user.id, status: 'completed' });
  const gone = await fixture.newProduct();
  const order = await fixture.newOrder({
    product_id: gone.id,
    user_id: user.id,
    status: 'completed',
  });
  await fixture.api.post(`/orders/${order.id}/refunds`, {
    amount: order.grand_total,
    reason: 'No.',
  });
  const { body } = await fixture.api.get(`/users/${user.id}/state`);
  expect(body.data).toMatchObject({
    id: user.id,
    access: [{ product_id: product.id, status: 'active' }],
    subscriptions: [{ product_id: product.id, status: 'active' }],
    group: { id: group.body.data.id, name: 'Gold' },
  });
  expect(body.data.access).toHaveLength(1);
  for (const { code } of body.data.licenses) expect(code).toContain('…');
  const byExternalId = await fixture.api.get('/users/state?provider=forum&external_id=f-7');
  expect(byExternalId.body.data).toEqual(body.data);
  const own = await (await fixture.store.session(user.id)).get('/me/state');
  expect(own.body.data).toEqual(body.data);
  await fixture.api.patch(`/users/${user.id}`, { status: 'blocked' });
  expect((await fixture.api.get(`/users/${user.id}/state`)).body.data.access).toEqual([]);
  expect((await fixture.api.get('/users/999999/state')).status).toBe(404);
});

describe('The licences in the state of a user', () => {
  const stateOf = async (id: number) => {
    const reply = await opened.fixture.api.get(`/users/${id}/state`);
    expect(reply).toMatchObject({ status: 200, trips: 1 });
    return reply.body.data;
  };

  test.each([
    ['gives no group', {}],
    ['gives a group', { name: 'Silver' }],
  ])('are not those of a paused or expired subscription that %s', async (_, named) => {
    const { api, newProduct, newUser, newOrder, store } = opened.fixture;
    const group = 'name' in named ? (await api.post('/user-groups', named)).body.data : undefined;
    const { id: product_id } = await newProduct({
      ...(group && { group: { update_group_to: group.id } }),
      ...{ payment_type: 'recurring', license: { active: true, count: 1, expires_days: 0 } },
      subscription: { active: true, regular: { duration: 1, period: 'monthly', price: 0 } },
    });
    const { id: user_id } = await newUser();
    await newOrder({ product_id, user_id, status: 'completed' });
    const [{ id }] = (await api.get(`/subscriptions?user_id=${user_id}`)).body.data;
    const counts = async () => {
      const app = await store.session(user_id);
      return [
        (await stateOf(user_id)).licenses.length,
        (await app.get('/me/state')).body.data.licenses.length,
        (await app.get('/me/home-summary')).body.data.licenses_count,
      ];
    };
    const told = toldStates(store);
    expect(await counts()).toEqual([1, 1, 1]);
    await told();
    await api.post(`/subscriptions/${id}/pause`, {});
    expect(await counts()).toEqual([0, 0, 0]);
    expect((await told()).flat()).toContain(`${user_id} licenses`);
    await api.post(`/subscriptions/${id}/resume`, {});
    expect(await counts()).toEqual([1, 1, 1]);
    expect((await told()).flat()).toContain(`${user_id} licenses`);
    store.clock.advance(60 * 86_400);
    expect(await counts()).toEqual([0, 0, 0]);
    await runJobs(await store.services(), () => undefined);
    expect((await told()).flat()).toContain(`${user_id} licenses`);
  });

  test('are valid again when the next payment of an expired plan comes in', async () => {
    const { api, newProduct, newUser, newOrder, store } = opened.fixture;
    const { id: product_id } = await newProduct({
      ...{ payment_type: 'recurring', license: { active: true, count: 1, expires_days: 0 } },
      subscription: {
        active: true,
        regular: { duration: 1, period: 'monthly', price: 500, payments: 3 },
      },
    });
    const { id: user_id } = await newUser();
    const first = await newOrder({ product_id, user_id, status: 'completed' });
    store.clock.advance(60 * 86_400);
    expect((await stateOf(user_id)).licenses).toEqual([]);
    const second = await newOrder({ product_id, user_id, order_parent_id: first.id });
    const told = toldStates(store);
    await told();
    await api.patch(`/orders/${second.id}`, { status: 'completed' });
    expect((await stateOf(user_id)).licenses).toHaveLength(1);
    expect((await told()).flat()).toContain(`${user_id} licenses`);
  });

  test('change with the order that a licence by hand names', async () => {
    const { api, newProduct, newUser, newOrder, store } = opened.fixture;
    const { id: product_id } = await newProduct();
    const { id: user_id } = await newUser();
    const { id: order_id } = await newOrder({ product_id, user_id, status: 'completed' });
    await api.post('/licenses', { product_id, user_id, order_id });
    expect((await stateOf(user_id)).licenses).toHaveLength(1);
    const told = toldStates(store);
    await told();
    await api.patch(`/orders/${order_id}`, { status: 'in-progress' });
    expect((await stateOf(user_id)).licenses).toEqual([]);
    expect((await told()).flat()).toContain(`${user_id} licenses`);
  });

  test('are the newest 100 that are valid, whatever others expired', async () => {
    const { newProduct, newUser, newOrder, store } = opened.fixture;
    const license = { active: true, count: 1 };
    const life = await newProduct({ license: { ...license, expires_days: 0 } });
    const month = await newProduct({ license: { ...license, expires_days: 30 } });
    const { id: user_id } = await newUser();
    await newOrder({ product_id: life.id, user_id, status: 'completed', quantity: 2 });
    await newOrder({ product_id: month.id, user_id, status: 'completed', quantity: 100 });
    expect((await stateOf(user_id)).licenses).toHaveLength(100);
    store.clock.advance(40 * 86_400);
    const { licenses } = await stateOf(user_id);
    expect(licenses).toMatchObject([{ product_id: life.id }, { product_id: life.id }]);
  });
});

test('The subscriptions in the state of a user are the newest 100 that run, whatever others ended', async () => {
  const { api, newProduct, newUser, newOrder, store } = opened.fixture;
  const subscription = { active: true, regular: { duration: 1, period: 'monthly', price: 0 } };
  const product = await newProduct({ payment_type: 'recurring', subscription });
  const { id: user_id } = await newUser();
  await newOrder({ product_id: product.id, user_id, status: 'completed' });
  const { rows } = await store.database.query<{ id: number }>(
    `with placed as (
       insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', nextval('orders_id_seq'), 'number', 'X' || n))).*
         from orders o, generate_series(1, 100) n where o.user_id = $1 returning id
     )
     insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object(
         'id', nextval('subscriptions_id_seq'), 'first_order_id', p.id, 'order_id', p.id, 'status', 'inactive'))).*
       from subscriptions s, placed p where s.user_id = $1 returning id`,
    [user_id],
  );
  expect(rows).toHaveLength(100);
  expect((await api.get(`/users/${user_id}/state`)).body.data.subscriptions).toMatchObject([
    { status: 'active' },
  ]);
});

test('Orders are listed by their coupon and by their gateway', async () => {
  const { fixture } = opened;
  const product_id = (await fixture.newProduct()).id;
  const coupon = await fixture.api.post('/coupons', {
    code: 'TEN',
    discount: { value: 10, type: 'percentage' },
  });
  const order = await fixture.newOrder({ product_id, coupon_code: 'TEN' });
  const other = await fixture.newOrder({ product_id });
  const ids = async (query: string) =>
    (await fixture.api.get(`/orders?product_id=${product_id}&${query}`)).body.data.map(
      ({ id }: { id: number }) => id,
    );
  expect(await ids(`coupon_id=${coupon.body.data.id}`)).toEqual([order.id]);
  expect(await ids('payment_gateway=manual')).toEqual([other.id, order.id]);
  expect(await ids('payment_gateway=paypal')).toEqual([]);
});
