import { describe, expect, test } from 'vitest';
import type { License } from '../../../src/domain/license/schemas.ts';
import { newCode } from '../../../src/domain/license/codes.ts';
import { useLicenses } from './stage.ts';

const { opened, product, buyer, newLicense, register, validate } = useLicenses();

describe('a licence made by hand', () => {
  test('takes seats, resets and time from the product', async () => {
    const { api } = opened.fixture;
    const made = await api.post('/licenses', { product_id: product(), user_id: buyer() });
    expect(made).toMatchObject({ status: 201, trips: 2 });
    expect(made.body.data).toMatchObject({
      status: 'active',
      order_id: null,
      string: null,
      strings: [],
      activations: [],
      activation_limit: 2,
      activation_count: 0,
      remaining: 2,
      expires_at: '2027-03-10T09:00:00.000Z',
      terms: [{ order_id: null, from: '2026-03-10T09:00:00.000Z', to: '2027-03-10T09:00:00.000Z' }],
      reset_count: 0,
      max_resets: 2,
      version: 1,
    });
    const read = await api.get(`/licenses/${made.body.data.id}`);
    expect(read).toMatchObject({ trips: 1, body: made.body });
  });

  test('has the given values in place of those of the product', async () => {
    const fields = {
      status: 'pending',
      activation_limit: 0,
      expires_at: null,
      note: 'For a review',
    };
    expect(await newLicense({ ...fields, meta: { a: 1 } })).toMatchObject({
      ...fields,
      remaining: null,
      meta: { a: 1 },
      terms: [{ order_id: null, to: null }],
    });
  });

  test('names a product, a user and an order that exist and belong together', async () => {
    const { api, newOrder, newProduct } = opened.fixture;
    const other = await newOrder({ product_id: (await newProduct()).id, user_id: buyer() });
    const own = await newOrder({ product_id: product(), user_id: buyer() });
    const ask = (body: object) =>
      api.post('/licenses', { product_id: product(), user_id: buyer(), ...body });
    for (const name of ['product_id', 'user_id', 'order_id']) {
      expect(await ask({ [name]: 999_999 })).toMatchObject({
        status: 404,
        body: { code: 'rest_not_found', data: { params: { [name]: expect.any(String) } } },
      });
    }
    expect((await ask({ order_id: other.id })).body.code).toBe('rest_invalid_param');
    expect((await ask({ order_id: own.id })).body.data.order_id).toBe(own.id);
  });
});

describe('an update of a licence', () => {
  test('changes the named fields; a new end replaces the terms before it', async () => {
    const { id } = await newLicense();
    const reply = await opened.fixture.api.post(`/licenses/${id}`, {
      status: 'inactive',
      activation_limit: 7,
      expires_at: '2026-04-01T00:00:00+07:00',
      note: 'Shared in public.',
    });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(reply.body.data).toMatchObject({
      status: 'inactive',
      activation_limit: 7,
      expires_at: '2026-03-31T17:00:00.000Z',
      terms: [{ order_id: null, to: '2026-03-31T17:00:00.000Z' }],
      note: 'Shared in public.',
      version: 2,
    });
    const read = await opened.fixture.api.get(`/licenses/${id}`);
    expect(read.body.data).toEqual(reply.body.data);
  });

  test('of an older version is a conflict', async () => {
    const { id } = await newLicense();
    await opened.fixture.api.post(`/licenses/${id}`, { note: 'One' });
    const headers = { 'if-match': '1' };
    const stale = await opened.fixture.api.post(`/licenses/${id}`, { note: 'Two' }, { headers });
    expect(stale).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
  });

  test('leaves the seats as they are, and gives no more than the new limit', async () => {
    const { id, code } = await newLicense();
    await register(code, 'a.example');
    await register(code, 'b.example');
    const fewer = await opened.fixture.api.post(`/licenses/${id}`, { activation_limit: 1 });
    expect(fewer.body.data).toMatchObject({ activation_count: 2, remaining: 0 });
    expect((await register(code, 'a.example')).body.valid).toBe(true);
    expect((await register(code, 'c.example')).body.code).toBe('license_limit_reached');
  });
});

describe('lists of licences', () => {
  test('mask the codes unless they are to be revealed', async () => {
    const { api } = opened.fixture;
    const { code, id } = await newLicense();
    await register(code, 'masked.example');
    const masked = `XXXXX-…-${code.slice(-4)}`;
    const first = async (path: string) => (await api.get(path)).body.data[0];
    expect(await first('/licenses?per_page=1')).toMatchObject({ id, code: masked });
    expect(await first('/licenses?per_page=1&reveal=true')).toMatchObject({ id, code });
    expect(await first('/licenses/by-string/masked.example')).toMatchObject({ code: masked });
    const revealed = '/licenses/by-string/masked.example?reveal=true';
    expect(await first(revealed)).toMatchObject({ code });
    expect((await api.get(`/licenses/${id}`)).body.data.code).toBe(code);
  });

  test('take filters, and count the matches', async () => {
    const { api, newUser, newProduct, newOrder } = opened.fixture;
    const user_id = (await newUser()).id;
    const product_id = (await newProduct()).id;
    const order = await newOrder({ product_id, user_id });
    const one = await newLicense({ user_id, product_id, order_id: order.id, status: 'pending' });
    const two = await newLicense({ user_id, product_id });
    await register(two.code, 'searched.example');
    const list = async (query: string) => {
      const reply = await api.get(`/licenses?${query}`);
      expect(reply.trips).toBe(1);
      const ids = reply.body.data.map(({ id }: License) => id);
      expect(reply.body.meta.pagination.total).toBe(ids.length);
      return ids;
    };
    expect(await list(`user_id=${user_id}`)).toEqual([two.id, one.id]);
    expect(await list(`product_id=${product_id}&sort=id`)).toEqual([one.id, two.id]);
    expect(await list(`order_id=${order.id}`)).toEqual([one.id]);
    expect(await list(`user_id=${user_id}&status=active`)).toEqual([two.id]);
    expect(await list('search=SEARCHED')).toEqual([two.id]);
    expect(await list(`search=${two.code.slice(0, 11).toLowerCase()}`)).toEqual([two.id]);
    expect(await list('search=%25%25%25')).toEqual([]);
  });

  test('count all licences, and those of each status', async () => {
    const { api, store } = opened.fixture;
    const { id } = await newLicense();
    await api.post(`/licenses/${id}`, { status: 'inactive' });
    for (const status of ['', 'pending', 'active', 'inactive']) {
      const { rows } = await store.database.query<{ count: string }>(
        "select count(*) from licenses where $1 in ('', status)",
        [status],
      );
      const reply = await api.get(`/licenses?per_page=1&status=${status}`);
      expect(reply.body.meta.pagination.total, status).toBe(Number(rows[0]?.count));
    }
  });
});

describe('the addresses of licences', () => {
  test('a licence is read by its code and by a string', async () => {
    const { api } = opened.fixture;
    const { id, code } = await newLicense();
    await register(code, 'addressed.example');
    const byCode = await api.get(`/licenses/by-code/${code.toLowerCase().replaceAll('-', '')}`);
    expect(byCode).toMatchObject({ status: 200, trips: 1, body: { data: { id, code } } });
    const url = encodeURIComponent('https://www.addressed.example/shop');
    const byString = await api.get(`/licenses/by-string/${url}`);
    expect(byString).toMatchObject({ status: 200, trips: 1, body: { data: [{ id }] } });
    expect((await api.get('/licenses/by-string/nobody.example')).status).toBe(404);
    expect((await api.get(`/licenses/by-code/${newCode()}`)).status).toBe(404);
    expect((await api.get('/licenses/999999')).status).toBe(404);
  });

  test('GETs that write have no HEAD; the one that reads has', async () => {
    const { api } = opened.fixture;
    const { code, id } = await newLicense();
    await register(code, 'a.example');
    const query = new URLSearchParams({ license: code, string: 'a.example' }).toString();
    for (const path of ['reset', 'unregister', 'validate']) {
      const reply = await opened.fixture.store.fetch(
        new Request(`https://shop.example/api/svc/v1/licenses/${path}?${query}`, {
          method: 'HEAD',
        }),
      );
      expect(reply.status, path).toBe(405);
    }
    expect((await api.get(`/licenses/${id}`)).body.data.strings).toEqual(['a.example']);
  });

  test('require a scope of their own each', async () => {
    const { store } = opened.fixture;
    const { code } = await newLicense();
    const reader = await store.key('licenses:read');
    const writer = await store.key('licenses:write');
    const body = { license: code, string: 'a.example' };
    expect((await reader.post('/licenses/status', body)).status).toBe(200);
    expect((await writer.post('/licenses/status', body)).status).toBe(403);
    for (const path of ['register', 'validate', 'reset']) {
      expect((await reader.post(`/licenses/${path}`, body)).status, path).toBe(403);
      expect((await writer.post(`/licenses/${path}`, body)).status, path).toBe(200);
    }
  });

  test('an activation that a record of its licence leaves out still counts', async () => {
    const { api, store } = opened.fixture;
    const { id, code } = await newLicense({ activation_limit: 0 });
    await store.database.query(
      `insert into license_activations
              (license_id, string, label, meta, seat, first_at, last_seen_at)
       select $1, 'n' || n || '.example', '', '{}', true, $2, $2 from generate_series(1, 120) n`,
      [id, store.clock.now()],
    );
    await store.database.query('update licenses set activation_count = 120 where id = $1', [id]);
    expect((await api.get(`/licenses/${id}`)).body.data.strings).toHaveLength(100);
    const verdict = await validate(code, { string: 'n120.example' });
    expect(verdict.body).toMatchObject({ valid: true, data: { activation: { seat: true } } });
    const body = { license: code };
    expect((await api.post('/licenses/reset', body)).body.data.released).toBe(120);
  });
});
