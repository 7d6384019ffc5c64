import { describe, expect, test } from 'vitest';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();

const change = (id: number, status: string) =>
  opened.fixture.api.patch(`/orders/${id}`, { status });

const ten = { value: 10, type: 'percentage' };

const refused = (code: string) => ({ status: 409, body: { code } });

describe('A cancelled order is reopened', () => {
  test('only while its product exists, by a key and by an administrator', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const { id } = await fixture.newOrder({ product_id, status: 'cancelled' });
    expect((await fixture.api.delete(`/products/${product_id}`)).status).toBe(200);
    expect(await change(id, 'on-hold')).toMatchObject(refused('rest_invalid_transition'));
    const { session } = await fixture.newAdministrator();
    const byHand = await session.patch(`/me/orders/${id}/status`, { status: 'on-hold' });
    expect(byHand).toMatchObject(refused('rest_invalid_transition'));
    expect(await fixture.order(id)).toMatchObject({ status: 'cancelled', version: 1 });
  });

  test('only while its buyer is not erased, by a key and by an administrator', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const { id, user_id } = await fixture.newOrder({ product_id, status: 'cancelled' });
    expect((await fixture.api.delete(`/users/${user_id}`)).status).toBe(200);
    expect(await change(id, 'on-hold')).toMatchObject(refused('rest_invalid_transition'));
    const { session } = await fixture.newAdministrator();
    const byHand = await session.patch(`/me/orders/${id}/status`, { status: 'on-hold' });
    expect(byHand).toMatchObject(refused('rest_invalid_transition'));
    expect(await fixture.order(id)).toMatchObject({ status: 'cancelled', version: 1 });
  });

  test('whatever became of its coupon and of who may buy its product', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct();
    const coupon = (await fixture.api.post('/coupons', { code: 'ENDED', discount: ten })).body.data;
    const { id } = await fixture.newOrder({ product_id, coupon_code: 'ENDED' });
    await change(id, 'cancelled');
    const { id: group } = (await fixture.api.post('/user-groups', { name: 'Gold' })).body.data;
    await fixture.api.patch(`/coupons/${coupon.id}`, { status: 'inactive' });
    const closed = { status: 'draft', group: { buy_list: [group] } };
    expect((await fixture.api.patch(`/products/${product_id}`, closed)).status).toBe(200);
    expect((await change(id, 'on-hold')).status).toBe(200);
  });

  test('not too soon after another order of the product by the same buyer', async () => {
    const { fixture } = opened;
    const { id: product_id } = await fixture.newProduct({ limit_buy_time: 10 });
    const { id, user_id } = await fixture.newOrder({ product_id });
    await change(id, 'cancelled');
    expect((await change(id, 'on-hold')).status).toBe(200);
    await change(id, 'cancelled');
    const other = await fixture.newOrder({ product_id, user_id });
    expect(await change(id, 'on-hold')).toMatchObject(refused('purchase_too_soon'));
    expect((await fixture.order(id)).status).toBe('cancelled');
    await change(other.id, 'cancelled');
    expect((await change(id, 'on-hold')).status).toBe(200);
    await change(id, 'cancelled');
    await change(other.id, 'on-hold');
    fixture.store.clock.advance(601);
    expect((await change(id, 'on-hold')).status).toBe(200);
  });

  test('as a trial only where it is still the first order of the product', async () => {
    const { fixture } = opened;
    const tryout = { active: true, duration: 7, period: 'daily', first_only: true };
    const regular = { duration: 1, period: 'monthly', price: 50_000 };
    const subscription = { active: true, regular, tryout };
    const { id: product_id } = await fixture.newProduct({ subscription });
    const { id, user_id, type } = await fixture.newOrder({ product_id });
    expect(type).toBe('subscription-tryout');
    const cancel = async (order: number) => {
      await change(order, 'in-progress');
      expect((await change(order, 'cancelled')).status).toBe(200);
    };
    await cancel(id);
    const second = await fixture.newOrder({ product_id, user_id });
    expect(second.type).toBe('subscription-tryout');
    expect(await change(id, 'on-hold')).toMatchObject(refused('tryout_used'));
    expect((await fixture.order(id)).status).toBe('cancelled');
    await cancel(second.id);
    expect((await change(id, 'on-hold')).status).toBe(200);
    expect((await change(id, 'completed')).status).toBe(200);
    expect(await change(second.id, 'on-hold')).toMatchObject(refused('tryout_used'));
  });
});
