import { describe, expect, test } from 'vitest';
import { createClient, createSessionClient, isApiError } from '../../packages/client/src/index.ts';
import { baseUrl } from '../harness/store.ts';
import { useStoreFixture } from '../harness/store-fixture.ts';
import { appOf, backendOf, through } from './clients.ts';

const at = useStoreFixture();

describe('a backend', () => {
  test('places an order, reads it and lists it', async () => {
    const { client } = await backendOf(at.fixture.store);
    const [product, user] = [await at.fixture.newProduct(), await at.fixture.newUser()];
    const { data: placed } = await client.orders.create({
      product_id: product.id,
      user_id: user.id,
    });
    expect((await client.orders.get(placed)).data.number).toBe(placed.number);
    const { data, meta } = await client.orders.list({ user_id: user.id });
    expect(data.map(({ id }) => id)).toEqual([placed.id]);
    expect(meta.pagination?.total).toBe(1);
  });

  test('reads a list to its end, a page at a time', async () => {
    const { client, requests } = await backendOf(at.fixture.store);
    const product = await at.fixture.newProduct();
    const placed: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      placed.push((await at.fixture.newOrder({ product_id: product.id })).id);
    }
    const read: number[] = [];
    for await (const { id } of client.orders.list.all({ product_id: product.id, per_page: 2 })) {
      read.push(id);
    }
    expect(read).toEqual(placed.toReversed());
    expect(requests).toHaveLength(3);
  });

  test('asks for no more pages than it reads', async () => {
    const { client, requests } = await backendOf(at.fixture.store);
    for await (const { id } of client.orders.list.all({ per_page: 1 })) {
      expect(id).toBeGreaterThan(0);
      break;
    }
    expect(requests).toHaveLength(1);
  });

  test('changes a record that it read, unless somebody else changed it in between', async () => {
    const { client } = await backendOf(at.fixture.store);
    const { data: read } = await client.products.get(await at.fixture.newProduct());
    const { data: changed } = await client.products.update(read, { title: 'Another' });
    expect(changed.version).toBe((read.version ?? 0) + 1);
    const late = client.products.update(read, { title: 'A third' });
    await expect(late).rejects.toMatchObject({ code: 'rest_conflict', status: 409 });
    expect((await client.products.get(read.id)).data.title).toBe('Another');
  });

  test('distinguishes refusals of one operation from those of others', async () => {
    const { client } = await backendOf(at.fixture.store);
    const product = await at.fixture.newProduct({ stock: 0 });
    const user = await at.fixture.newUser();
    const error: unknown = await client.orders
      .create({ product_id: product.id, user_id: user.id })
      .catch((refusal: unknown) => refusal);
    expect(isApiError(error, 'orders.create') && error.code).toBe('out_of_stock');
    expect(isApiError(error, 'orders.list')).toBe(false);
    expect(isApiError(error)).toBe(true);
    expect(isApiError(new Error('Something else.'))).toBe(false);
  });

  test('learns which parameters are invalid', async () => {
    const { client } = await backendOf(at.fixture.store);
    await expect(client.orders.create({ product_id: 0, user_id: 1 })).rejects.toMatchObject({
      code: 'rest_invalid_param',
      params: { product_id: expect.any(String) },
      requestId: expect.any(String),
    });
  });
});

test('a deployment with other paths for its operations is asked for its paths once', async () => {
  const { store } = at.fixture;
  const environment = await store.environment;
  environment['REST_ROOT'] = '/wp-json';
  store.restart();
  try {
    const { client, requests } = await backendOf(store);
    await client.orders.list();
    await client.orders.list();
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/svc/v1/orders',
      '/',
      '/wp-json/svc/v1/orders',
      '/wp-json/svc/v1/orders',
    ]);
    const { client: strayed } = await backendOf(store, { url: `${baseUrl}/nothing/here/svc/v1` });
    await expect(strayed.orders.list()).rejects.toMatchObject({ code: 'rest_no_route' });
  } finally {
    delete environment['REST_ROOT'];
    store.restart();
  }
});

describe('an app', () => {
  test('reads and changes its user’s own records', async () => {
    const user = await at.fixture.newUser();
    const { me } = await appOf(at.fixture.store, user.id);
    await me.profile.update({ first_name: 'Dewi' });
    expect((await me.get()).data.display_name).toBe('Dewi');
  });

  test('gets no body again if nothing changed', async () => {
    const { store } = at.fixture;
    const user = await at.fixture.newUser();
    const { ask, requests } = through(store);
    const statuses: number[] = [];
    const noting: typeof fetch = async (...request) => {
      const response = await ask(...request);
      statuses.push(response.status);
      return response;
    };
    const { me } = await appOf(store, user.id, { fetch: noting });
    const first = await me.homeSummary();
    expect(await me.homeSummary()).toEqual(first);
    await me.profile.update({ first_name: 'Changed' });
    expect((await me.get()).data.display_name).toBe('Changed');
    expect(statuses).toEqual([200, 304, 200, 200]);
    expect(requests[1]?.headers.get('if-none-match')).toMatch(/^"/);
  });

  test('uploads a file', async () => {
    const affiliate = await at.fixture.newAffiliate();
    const { me } = await appOf(at.fixture.store, affiliate.id);
    const file = new Blob(['no picture'], { type: 'image/png' });
    // The upload arrives; only its content is refused.
    await expect(me.media.uploadImage({ file, purpose: 'avatar' })).rejects.toMatchObject({
      operation: 'me.media.uploadImage',
      name: 'ApiError',
    });
  });

  test('renews an expired token, once for all requests', async () => {
    const { store } = at.fixture;
    const user = await at.fixture.newUser();
    const old = await store.token(user.id, {
      exp: Math.floor(store.clock.now().getTime() / 1000) - 9,
    });
    let renewals = 0;
    const me = createSessionClient({
      url: baseUrl,
      token: old,
      fetch: through(store).ask,
      onExpired: () => {
        renewals += 1;
        return store.token(user.id);
      },
    });
    const [profile, home] = await Promise.all([me.get(), me.homeSummary()]);
    expect(profile.data.id).toBe(user.id);
    expect(home.success).toBe(true);
    expect(renewals).toBe(1);
  });

  test('asks for a new token again after the first attempt failed', async () => {
    const { store } = at.fixture;
    const user = await at.fixture.newUser();
    const ways = [() => Promise.reject(new Error('No network.')), () => store.token(user.id)];
    const me = createSessionClient({
      url: baseUrl,
      token: 'over',
      fetch: through(store).ask,
      onExpired: () => ways.shift()?.(),
    });
    await expect(me.get()).rejects.toThrow('No network.');
    expect((await me.get()).data.id).toBe(user.id);
  });

  test('fails if there is no new token', async () => {
    const { store } = at.fixture;
    const { ask, requests } = through(store);
    const me = createSessionClient({
      url: baseUrl,
      token: 'over',
      fetch: ask,
      onExpired: () => undefined,
    });
    await expect(me.get()).rejects.toMatchObject({ code: 'svc_session_invalid_token' });
    expect(requests).toHaveLength(1);
  });
});

test('a call with a malformed key is refused, and not tried again', async () => {
  const { ask, requests } = through(at.fixture.store);
  const client = createClient({ url: baseUrl, apiKey: 'svcapi_wrong_wrong', fetch: ask });
  await expect(client.orders.list()).rejects.toMatchObject({ status: 401, code: 'rest_forbidden' });
  expect(requests).toHaveLength(1);
});
