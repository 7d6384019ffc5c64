import { describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
const fixture = () => opened.fixture;

const ask = async (user: number, question: string) => {
  const reply = await fixture().api.get(`/users/${user}/${question}`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  return reply.body;
};

describe('the check of a purchase', () => {
  test('counts completed orders only, and names the last of them', async () => {
    const product_id = (await fixture().newProduct()).id;
    const user_id = (await fixture().newUser()).id;
    const bought = () => ask(user_id, `has-bought?product_id=${product_id}`);
    const order = await fixture().newOrder({ product_id, user_id, status: 'in-progress' });
    expect(await bought()).toEqual({
      success: true,
      has_bought: false,
      order_id: null,
      last_bought_at: null,
      user_id,
      product_id,
    });
    fixture().store.clock.set('2026-04-01T09:00:00Z');
    await fixture().api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect(await bought()).toMatchObject({
      has_bought: true,
      order_id: order.id,
      last_bought_at: '2026-04-01T09:00:00.000Z',
    });
    fixture().store.clock.set('2026-04-02T09:00:00Z');
    const again = await fixture().newOrder({ product_id, user_id, status: 'completed' });
    expect(await bought()).toMatchObject({ order_id: again.id });
    await fixture().api.patch(`/orders/${again.id}`, { status: 'refunded' });
    expect(await bought()).toMatchObject({ order_id: order.id });
  });

  test('requires a product, and an existing user and product', async () => {
    const product = (await fixture().newProduct()).id;
    const user = (await fixture().newUser()).id;
    const reply = (path: string) => fixture().api.get(`/users/${path}`);
    expect(await reply(`${user}/has-bought`)).toMatchObject({
      status: 400,
      body: { code: 'rest_missing_callback_param' },
    });
    expect(await reply(`999999/has-bought?product_id=${product}`)).toMatchObject({ status: 404 });
    expect(await reply(`${user}/has-bought?product_id=999999`)).toMatchObject({
      status: 404,
      body: { data: { params: { product_id: 'unknown id' } } },
    });
  });
});

describe('the check of the affiliate area', () => {
  const group = async (name: string, can_affiliate: boolean) => {
    const reply = await fixture().api.post('/user-groups', { name, can_affiliate });
    return reply.body.data.id as number;
  };

  test('equals can_affiliate, with the reason', async () => {
    const answer = async (fields: object) => {
      const user = await fixture().newUser(fields);
      const body = await ask(user.id, 'can-access-affiliate');
      expect(body).toMatchObject({
        success: true,
        can_access: user.can_affiliate,
        user_id: user.id,
      });
      return body.reason;
    };
    const roles = ['affiliate'];
    expect(await answer({ roles })).toBe('ok');
    expect(await answer({ roles, group_id: await group('Sellers', true) })).toBe('ok');
    const group_id = await group('Readers', false);
    expect(await answer({ roles, group_id })).toBe('group-denied');
    expect(await answer({ roles, group_id, status: 'blocked' })).toBe('blocked');
    expect(await answer({})).toBe('no-capability');
  });
});

describe('the check of the administration', () => {
  test("follows from the user's capabilities, unless they are blocked", async () => {
    const answer = async (id: number) => {
      const { can_access, reason } = await ask(id, 'can-access-wp-admin');
      return [can_access, reason];
    };
    expect(await answer((await fixture().newAdministrator()).id)).toEqual([true, 'ok']);
    const manager = await fixture().newStaff();
    expect(await answer(manager.id)).toEqual([true, 'ok']);
    expect(await answer((await fixture().newStaff(1)).id)).toEqual([true, 'ok']);
    const { session } = await fixture().newAdministrator();
    await session.patch(`/me/users/${manager.id}`, { status: 'blocked' });
    expect(await answer(manager.id)).toEqual([false, 'blocked']);
    expect(await answer((await fixture().newAffiliate()).id)).toEqual([false, 'no-capability']);
  });

  test('is a 404 for an unknown user', async () => {
    expect(await fixture().api.get('/users/999999/can-access-wp-admin')).toMatchObject({
      status: 404,
    });
    expect(await fixture().api.get('/users/999999/can-access-affiliate')).toMatchObject({
      status: 404,
    });
  });
});
