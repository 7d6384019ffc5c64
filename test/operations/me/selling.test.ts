import { beforeAll, describe, expect, test } from 'vitest';
import { maskedName } from '../../../src/actions/me/rules.ts';
import type { Product } from '../../../src/domain/product/schemas.ts';
import { useAffiliateStore } from '../../harness/affiliates.ts';
import type { ApiClient } from '../../harness/client.ts';

const stage = useAffiliateStore();
let product: Product;
let seller: ApiClient;
let middle: ApiClient;
let buyer: ApiClient;
let administrator: ApiClient;
/** Ids of the seller, the seller's sponsor and the buyer. */
let ids: Record<'seller' | 'middle' | 'buyer', number>;

beforeAll(async () => {
  const { fixture } = stage.at;
  const tools = [{ id: 'banner', title: 'Banner', description: '', file: '/a.png' }];
  product = await stage.at.newCourse({ tools });
  const { id } = await fixture.newUser({ display_name: 'Bo Buyer' });
  ids = { seller: stage.at.seller.id, middle: stage.at.middle.id, buyer: id };
  await stage.at.sell(product, { user_id: id, status: 'completed' });
  await stage.at.sell(await stage.at.newCourse(), { user_id: id });
  await fixture.newOrder({ product_id: product.id, affiliate_id: ids.middle, status: 'completed' });
  seller = await fixture.store.session(ids.seller);
  middle = await fixture.store.session(ids.middle);
  buyer = await fixture.store.session(ids.buyer);
  administrator = (await fixture.newAdministrator()).session;
});

const own = (effective_user_id: number, total: number) => ({
  effective_user_id,
  pagination: { page: 1, total },
});

describe('Commissions', () => {
  const owners = async (app: ApiClient, filters = '') => {
    const { body } = await app.get(`/me/commissions${filters}`);
    return body.data.map((row: { affiliate_id: number }) => row.affiliate_id);
  };

  test('are those the user earned, on any tier', async () => {
    const { body, trips } = await seller.get('/me/commissions');
    expect(trips).toBe(1);
    expect(body.meta).toMatchObject({ ...own(ids.seller, 2), next_cursor: null });
    const general = await stage.at.fixture.api.get(`/commissions?affiliate_id=${ids.seller}`);
    expect(body.data).toEqual(general.body.data);
    const { body: upline } = await middle.get('/me/commissions?sort=id');
    expect(upline.data.map(({ tier }: { tier: number }) => tier)).toEqual([2, 2, 1]);
  });

  test("hide the store's notes and suspicions from the affiliate", async () => {
    const general = await stage.at.fixture.api.get(`/commissions?affiliate_id=${ids.seller}`);
    const [{ id }] = general.body.data;
    await stage.at.fixture.api.patch(`/commissions/${id}`, { note: 'Looks like fraud.' });
    await stage.at.fixture.store.database.query(
      `update commissions set flags = '{same-bank}' where id = $1`,
      [id],
    );
    const inStore = (await stage.at.fixture.api.get(`/commissions/${id}`)).body.data;
    expect(inStore).toMatchObject({ note: 'Looks like fraud.', flags: ['same-bank'] });
    const [shown] = (await seller.get('/me/commissions')).body.data;
    expect(shown).toEqual({ ...inStore, note: null, flags: [] });
  });

  test('of others are hidden, whatever id the query names', async () => {
    for (const claim of ['affiliate_id', 'user_id', 'effective_user_id']) {
      expect(await owners(seller, `?${claim}=${ids.middle}`)).toEqual([ids.seller, ids.seller]);
    }
    expect(await owners(buyer, `?affiliate_id=${ids.seller}`)).toEqual([]);
    expect(await owners(administrator, `?affiliate_id=${ids.seller}`)).toEqual([]);
  });

  test('take the filters of the general list', async () => {
    expect(await owners(seller, '?status=pending')).toHaveLength(1);
    expect(await owners(seller, `?product_id=${product.id}`)).toHaveLength(1);
    expect(await owners(seller, '?date_end=2026-03-09')).toHaveLength(0);
    expect(await owners(seller, '?limit=1&offset=1')).toHaveLength(1);
    const { body } = await seller.get('/me/commissions?per_page=1');
    expect(body.meta.pagination).toEqual({ page: 1, per_page: 1, total: 2, total_pages: 2 });
    expect(await owners(seller, `?cursor=${body.meta.next_cursor}`)).toHaveLength(1);
  });
});

describe('Products', () => {
  test("are those of the programme, with the user's own rates", async () => {
    const { body, trips } = await seller.get('/me/products');
    expect(trips).toBe(1);
    const general = await stage.at.fixture.api.get(`/affiliates/${ids.seller}/products`);
    expect(body.data).toEqual(general.body.data);
    expect(body.meta).toMatchObject(own(ids.seller, 2));
    expect(body.data[1]).toMatchObject({ product_id: product.id, can_promote: true });
  });

  test('name the reason if the user may not promote them', async () => {
    const { body } = await buyer.get('/me/products');
    expect(body.data).toHaveLength(2);
    for (const shown of body.data) {
      expect(shown).toMatchObject({ can_promote: false, reason: 'not-eligible' });
    }
  });
});

describe('Links', () => {
  test('count for the user of the token', async () => {
    for (const query of [`product_id=${product.id}`, `id=${product.id}`]) {
      const { body, trips } = await seller.get(`/me/links?${query}&affiliate_id=${ids.middle}`);
      expect(trips).toBe(1);
      expect(body.meta).toMatchObject(own(ids.seller, 2));
      for (const { affiliate_link } of body.data) {
        expect(affiliate_link).toContain(`/aff/${ids.seller}/${product.id}/`);
      }
    }
  });

  test('cover the newest products if none is named; an unknown product is a 404', async () => {
    expect((await seller.get('/me/links')).body.data).toHaveLength(4);
    expect(await seller.get('/me/links?product_id=999999')).toMatchObject({
      status: 404,
      body: { code: 'rest_not_found' },
    });
  });
});

test('GET /me/creatives lists the creatives of a product, and refuses a request without one', async () => {
  const { body, trips } = await seller.get(`/me/creatives?product_id=${product.id}`);
  expect(trips).toBe(1);
  expect(body.data).toMatchObject([{ id: 'banner', type: 'image' }]);
  expect(body.meta).toMatchObject(own(ids.seller, 1));
  expect(await seller.get('/me/creatives')).toMatchObject({
    status: 400,
    body: {
      code: 'rest_missing_callback_param',
      data: { params: { product_id: 'is required' } },
    },
  });
  expect((await seller.get('/me/creatives?product_id=999999')).status).toBe(404);
});

describe('GET /me/rank', () => {
  test('answers for the user of the token, whatever id the query names', async () => {
    const { body, trips } = await seller.get(`/me/rank?affiliate_id=${ids.middle}`);
    expect(trips).toBe(1);
    const general = await stage.at.fixture.api.get(`/affiliates/${ids.seller}/rank`);
    expect(body).toEqual({
      ...general.body,
      meta: { effective_user_id: ids.seller, ignored_parameters: ['affiliate_id'] },
    });
    expect(body.data).toMatchObject({ affiliate_id: ids.seller, rank: 1, of: 2, raw_total: 1 });
  });

  test('is null for a user who sold nothing', async () => {
    const { body } = await buyer.get('/me/rank');
    expect(body.data).toMatchObject({ affiliate_id: ids.buyer, rank: null, raw_total: 0 });
  });
});

describe('Leaderboard', () => {
  test("shows the user's own name, and the initials of others", async () => {
    const { body, trips } = await seller.get('/me/leaderboard?calculate=revenue');
    expect(trips).toBe(1);
    const names = body.data.map(({ id, name }: { id: number; name: string }) => [id, name]);
    expect(names).toEqual([
      [ids.middle, 'M***'],
      [ids.seller, 'Seller'],
    ]);
    expect(body.meta).toMatchObject(own(ids.seller, 2));
    const general = await stage.at.fixture.api.get('/affiliates/leaderboard?calculate=revenue');
    const nameless = (place: object) => ({ ...place, name: '' });
    expect(body.data.map(nameless)).toEqual(general.body.data.map(nameless));
  });

  test('shows no name to users who are not on it, administrators included', async () => {
    for (const app of [buyer, administrator]) {
      const { body } = await app.get(`/me/leaderboard?user_id=${ids.seller}`);
      expect(JSON.stringify(body)).not.toMatch(/Seller|Middle/);
    }
  });

  test.each([
    ['Sari Wulan', 'S*** W***'],
    ['  sari\twulan ', 's*** w***'],
    ['X', 'X***'],
    ['sari@people.example', 's***'],
    ['E\u0301lodie', 'E\u0301***'],
    ['👩 Ana', '👩*** A***'],
    ['', ''],
  ])('masks %j as %j', (name, masked) => {
    expect(maskedName(name)).toBe(masked);
  });
});
