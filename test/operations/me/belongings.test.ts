import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { useShop } from '../../harness/shop.ts';

const stage = useShop();
let course: number;
let club: number;
let buyer: { id: number; app: ApiClient };
let other: { id: number; app: ApiClient };

const member = async () => {
  const { id } = await stage.shop.newUser();
  return { id, app: await stage.shop.store.session(id) };
};

beforeAll(async () => {
  const { shop } = stage;
  course = (await shop.newProduct({ title: 'Course' })).id;
  const subscription = { active: true, regular: { duration: 1, period: 'monthly', price: 9_000 } };
  club = (await shop.newProduct({ title: 'Club', payment_type: 'recurring', subscription })).id;
  buyer = await member();
  other = await member();
  for (const product_id of [course, club, club]) {
    await shop.newOrder({ product_id, user_id: buyer.id, status: 'completed' });
  }
  await shop.newOrder({ product_id: club, user_id: other.id });
});

describe('Subscriptions', () => {
  test('are those of the user, in pages', async () => {
    const { body, trips } = await buyer.app.get('/me/subscriptions?per_page=1');
    expect(trips).toBe(1);
    expect(body.meta).toMatchObject({
      effective_user_id: buyer.id,
      pagination: { page: 1, per_page: 1, total: 2, total_pages: 2 },
    });
    expect(body.data).toMatchObject([
      {
        ...{ product_id: club, product_name: 'Club', status: 'active', order_parent_id: null },
        ...{ end_date: '2026-04-10T09:00:00.000Z', days_left: 31, renew_price: 9_000 },
      },
    ]);
    const rest = await buyer.app.get(`/me/subscriptions?cursor=${body.meta.next_cursor}`);
    expect(rest.body.data).toHaveLength(1);
    expect(rest.body.meta.next_cursor).toBeNull();
  });

  test('of others are not shown, whatever the app says', async () => {
    const { body } = await other.app.get(`/me/subscriptions?user_id=${buyer.id}`);
    expect(body.data).toEqual([]);
    expect(body.meta).toMatchObject({ effective_user_id: other.id, pagination: { total: 0 } });
  });
});

describe('Access', () => {
  test('is what the user bought, one entry a product', async () => {
    const { body, trips } = await buyer.app.get('/me/access');
    expect(trips).toBe(1);
    const general = await stage.shop.api.get(`/users/${buyer.id}/access-products`);
    expect(body.data).toEqual(general.body.data);
    expect(body.data).toMatchObject([
      { product_id: course, status: 'active', end_active: null },
      { product_id: club, status: 'active', end_active: '2026-04-10T09:00:00.000Z' },
    ]);
    expect(body.meta).toEqual({
      effective_user_id: buyer.id,
      pagination: { page: 1, per_page: 2, total: 2, total_pages: 1 },
    });
  });

  test('of others is not shown, whatever the app says', async () => {
    const { body } = await other.app.get(`/me/access?user_id=${buyer.id}`);
    // The order of the other is not paid.
    expect(body.data).toMatchObject([{ product_id: club, status: 'pending', start: null }]);
    expect(body.meta.effective_user_id).toBe(other.id);
  });
});
