import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const stage = useStoreFixture();
let course: number;
let club: number;
let buyer: { id: number; app: ApiClient };
let other: { id: number; app: ApiClient };

const member = async () => {
  const { id } = await stage.fixture.newUser();
  return { id, app: await stage.fixture.store.session(id) };
};

beforeAll(async () => {
  const { fixture } = stage;
  course = (await fixture.newProduct({ title: 'Course' })).id;
  const subscription = { active: true, regular: { duration: 1, period: 'monthly', price: 9_000 } };
  club = (await fixture.newProduct({ title: 'Club', payment_type: 'recurring', subscription })).id;
  buyer = await member();
  other = await member();
  for (const product_id of [course, club, club]) {
    await fixture.newOrder({ product_id, user_id: buyer.id, status: 'completed' });
  }
  await fixture.newOrder({ product_id: club, user_id: other.id });
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

  test('of others are not shown, whatever id the query names', async () => {
    const { body } = await other.app.get(`/me/subscriptions?user_id=${buyer.id}`);
    expect(body.data).toEqual([]);
    expect(body.meta).toMatchObject({ effective_user_id: other.id, pagination: { total: 0 } });
  });
});

describe('GET /me/license-keys', () => {
  const license = { active: true, count: 2, expires_days: 365 };
  const owned = async (fields: object = {}) => {
    const owner = await member();
    const product = await stage.fixture.newProduct({ title: 'Invoice Desk', license, ...fields });
    const order = await stage.fixture.newOrder({
      product_id: product.id,
      user_id: owner.id,
      quantity: 2,
      status: 'completed',
    });
    return { ...owner, product, order };
  };

  test('answers with the whole codes of the user, each with its permitted actions', async () => {
    const { api } = stage.fixture;
    const owner = await owned();
    await api.patch(`/products/${owner.product.id}`, { title: 'Invoice Desk Pro' });
    const general = await api.get(`/licenses?user_id=${owner.id}&reveal=true`);
    const [last, first] = general.body.data;
    await api.post('/licenses/register', { license: last.code, string: 'toko.example' });
    const { body, trips } = await owner.app.get('/me/license-keys?per_page=1');
    expect(trips).toBe(1);
    expect(body.meta).toMatchObject({ effective_user_id: owner.id, pagination: { total: 2 } });
    expect(body.data).toEqual([
      {
        id: last.id,
        code: last.code,
        product: { id: owner.product.id, title: 'Invoice Desk' },
        order_id: owner.order.id,
        status: 'active',
        verdict: 'VALID',
        expires_at: '2027-03-10T09:00:00.000Z',
        activation_limit: 2,
        activation_count: 1,
        remaining: 1,
        strings: ['toko.example'],
        created_at: last.created_at,
      },
    ]);
    const rest = await owner.app.get(`/me/license-keys?cursor=${body.meta.next_cursor}`);
    expect(rest.body.data).toMatchObject([{ id: first.id, code: first.code, strings: [] }]);
    expect(rest.body.meta.next_cursor).toBeNull();
    const file = await owner.app.get('/me/license-keys.ndjson');
    expect(file.body).toContain(last.code);
  });

  test('says why a code may not be used', async () => {
    const { api, store } = stage.fixture;
    const owner = await owned();
    const verdicts = async () =>
      (await owner.app.get('/me/license-keys')).body.data.map(
        ({ verdict }: { verdict: string }) => verdict,
      );
    await store.database.query(
      "update licenses set expires_at = '2026-03-01' where id = (select max(id) from licenses)",
    );
    expect(await verdicts()).toEqual(['EXPIRED', 'VALID']);
    await api.post(`/orders/${owner.order.id}/refunds`, {});
    expect(await verdicts()).toEqual(['INACTIVE', 'INACTIVE']);
  });

  test('shows no codes of others, whatever id the query names', async () => {
    const owner = await owned();
    const { body } = await other.app.get(`/me/license-keys?user_id=${owner.id}&reveal=true`);
    expect(body).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
    expect(body.meta.ignored_parameters).toEqual(['user_id', 'reveal']);
    const asKey = await stage.fixture.api.get('/me/license-keys');
    expect(asKey.status).toBe(401);
  });
});

describe('Access', () => {
  test('is what the user bought, one entry a product', async () => {
    const { body, trips } = await buyer.app.get('/me/access');
    expect(trips).toBe(1);
    const general = await stage.fixture.api.get(`/users/${buyer.id}/access-products`);
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

  test('of others is not shown, whatever id the query names', async () => {
    const { body } = await other.app.get(`/me/access?user_id=${buyer.id}`);
    // The other order is not paid.
    expect(body.data).toMatchObject([{ product_id: club, status: 'pending', start: null }]);
    expect(body.meta.effective_user_id).toBe(other.id);
  });
});
