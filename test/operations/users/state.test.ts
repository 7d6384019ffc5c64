import { expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

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
