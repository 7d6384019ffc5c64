import { beforeAll, describe, expect, test } from 'vitest';
import type { License } from '../../../src/domain/license/schemas.ts';
import { newCode } from '../../../src/domain/license/codes.ts';
import { useShop } from '../../harness/shop.ts';

const opened = useShop();
let product: number;
let buyer: number;

beforeAll(async () => {
  const { shop } = opened;
  const license = { active: true, count: 2, expires_days: 365, max_resets: 2 };
  product = (await shop.newProduct({ title: 'Invoice Desk', license })).id;
  buyer = (await shop.newUser()).id;
});

/** A licence of the buyer, made by hand. */
async function newLicense(fields: object = {}): Promise<License> {
  const body = { product_id: product, user_id: buyer, ...fields };
  const reply = await opened.shop.api.post('/licenses', body);
  expect(reply.status).toBe(201);
  return reply.body.data;
}

const register = (license: string, string: string, more: object = {}) =>
  opened.shop.api.post('/licenses/register', { license, string, ...more });
const validate = (license: string, more: object = {}) =>
  opened.shop.api.post('/licenses/validate', { license, ...more });

describe('a licence made by hand', () => {
  test('takes seats, resets and time from the product', async () => {
    const { api } = opened.shop;
    const made = await api.post('/licenses', { product_id: product, user_id: buyer });
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

  test('is what its maker says instead', async () => {
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

  test('names a product, a user and an order that are there and belong together', async () => {
    const { api, newOrder, newProduct } = opened.shop;
    const other = await newOrder({ product_id: (await newProduct()).id, user_id: buyer });
    const own = await newOrder({ product_id: product, user_id: buyer });
    const ask = (body: object) =>
      api.post('/licenses', { product_id: product, user_id: buyer, ...body });
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

describe('an update', () => {
  test('changes what it names, and the end starts anew from it', async () => {
    const { id } = await newLicense();
    const reply = await opened.shop.api.post(`/licenses/${id}`, {
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
    const read = await opened.shop.api.get(`/licenses/${id}`);
    expect(read.body.data).toEqual(reply.body.data);
  });

  test('of an older version is a conflict', async () => {
    const { id } = await newLicense();
    await opened.shop.api.post(`/licenses/${id}`, { note: 'One' });
    const headers = { 'if-match': '1' };
    const stale = await opened.shop.api.post(`/licenses/${id}`, { note: 'Two' }, { headers });
    expect(stale).toMatchObject({ status: 409, body: { code: 'rest_conflict' } });
  });

  test('leaves the seats as they are, and gives no more than the new limit', async () => {
    const { id, code } = await newLicense();
    await register(code, 'a.example');
    await register(code, 'b.example');
    const fewer = await opened.shop.api.post(`/licenses/${id}`, { activation_limit: 1 });
    expect(fewer.body.data).toMatchObject({ activation_count: 2, remaining: 0 });
    expect((await register(code, 'a.example')).body.valid).toBe(true);
    expect((await register(code, 'c.example')).body.code).toBe('license_limit_reached');
  });
});

describe('registering', () => {
  test('takes a seat and answers with the licence as it is then', async () => {
    const { code, id } = await newLicense();
    const reply = await register(code, 'https://www.Toko.example/shop', {
      label: 'Main site',
      meta: { php: '8.4' },
    });
    expect(reply).toMatchObject({ status: 200, trips: 2 });
    expect(reply.body).toMatchObject({
      success: true,
      valid: true,
      code: 'VALID',
      data: {
        remaining: 1,
        license: { id, code, string: 'toko.example', activation_count: 1 },
        activation: {
          string: 'toko.example',
          label: 'Main site',
          meta: { php: '8.4' },
          seat: true,
          first_at: '2026-03-10T09:00:00.000Z',
        },
      },
    });
    const read = await opened.shop.api.get(`/licenses/${id}`);
    expect(read.body.data).toEqual(reply.body.data.license);
  });

  test('again gives the same answer, however the string is written', async () => {
    const { code } = await newLicense();
    const first = await register(code, 'toko.example');
    for (const string of ['toko.example', 'TOKO.example.', 'http://www.toko.example:80/x']) {
      const typed = code.replaceAll('-', '').toLowerCase();
      const again = await opened.shop.api.post('/licenses/register', { code: typed, host: string });
      expect(again).toMatchObject({ status: 200, body: first.body });
    }
  });

  test('ends at the limit, and hosts for development do not count', async () => {
    const { code } = await newLicense();
    await register(code, 'one.example');
    await register(code, 'two.example');
    const local = await register(code, 'localhost');
    expect(local.body.data).toMatchObject({ remaining: 0, activation: { seat: false } });
    expect(await register(code, 'three.example')).toMatchObject({
      status: 409,
      body: {
        code: 'license_limit_reached',
        data: { activation_limit: 2, activation_count: 2 },
      },
    });
  });

  test('has no end where there is no limit', async () => {
    const { code } = await newLicense({ activation_limit: 0 });
    for (const n of [1, 2, 3]) {
      const { body } = await register(code, `site-${n}.example`);
      expect(body.data).toMatchObject({ remaining: null, license: { activation_count: n } });
    }
  });

  test('does not happen for a licence that may not be used', async () => {
    const { code } = await newLicense({ status: 'inactive' });
    const reply = await register(code, 'toko.example');
    expect(reply).toMatchObject({
      status: 200,
      body: {
        success: false,
        valid: false,
        code: 'INACTIVE',
        data: { activation: null, license: { strings: [] } },
      },
    });
  });

  test('under an Idempotency-Key is replayed', async () => {
    const { code } = await newLicense();
    const headers = { 'idempotency-key': `register-${code}` };
    const body = { license: code, string: 'toko.example' };
    const first = await opened.shop.api.post('/licenses/register', body, { headers });
    opened.shop.store.clock.advance(60);
    const again = await opened.shop.api.post('/licenses/register', body, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('names what is missing', async () => {
    const { api } = opened.shop;
    expect((await api.post('/licenses/register', {})).body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { params: { license: 'is required', string: 'is required' } },
    });
    expect((await register(newCode(), ' ')).body.code).toBe('rest_invalid_param');
  });
});

describe('the verdict', () => {
  test('is the same by GET and POST, by validate and status, under either name', async () => {
    const { api } = opened.shop;
    const { code } = await newLicense();
    await register(code, 'toko.example');
    const query = new URLSearchParams({ license: code, string: 'https://toko.example' }).toString();
    const aliases = new URLSearchParams({ code, host: 'toko.example' }).toString();
    const replies = [
      await api.get(`/licenses/status?${query}`),
      await api.get(`/licenses/status?${aliases}`),
      await api.post('/licenses/status', { code, host: 'toko.example' }),
      await api.get(`/licenses/validate?${query}`),
      await api.post('/licenses/validate', { license: code, string: 'toko.example' }),
    ];
    expect(replies[0]).toMatchObject({
      status: 200,
      trips: 1,
      body: {
        success: true,
        valid: true,
        code: 'VALID',
        message: expect.any(String),
        data: {
          license: { code },
          activation: { string: 'toko.example' },
          subscription: null,
          order_id: null,
          product_id: product,
          product_title: 'Invoice Desk',
        },
      },
    });
    for (const reply of replies) expect(reply.body).toEqual(replies[0]?.body);
    for (const reply of replies) expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('validate notes when it was seen; status does not', async () => {
    const { api, store } = opened.shop;
    const { code, id } = await newLicense();
    await register(code, 'toko.example');
    const before = store.clock.now().toISOString();
    store.clock.advance(3600);
    const seen = async () =>
      (await api.get(`/licenses/${id}`)).body.data.activations[0].last_seen_at;
    await api.post('/licenses/status', { license: code, string: 'toko.example' });
    expect(await seen()).toBe(before);
    const { body } = await validate(code, { string: 'toko.example' });
    expect(body.data.activation.last_seen_at).toBe(store.clock.now().toISOString());
    expect(await seen()).toBe(store.clock.now().toISOString());
    expect((await api.get(`/licenses/${id}`)).body.data.version).toBe(1);
  });

  test('says what is wrong', async () => {
    const { shop } = opened;
    const other = (await shop.newProduct()).id;
    const { code } = await newLicense();
    const verdict = async (more: object) => {
      const reply = await validate(code, more);
      expect(reply).toMatchObject({ status: 200, body: { success: true } });
      expect(reply.body.valid).toBe(reply.body.code === 'VALID');
      return reply.body.code;
    };
    expect(await verdict({})).toBe('VALID');
    expect(await verdict({ product_id: product, user_id: buyer })).toBe('VALID');
    expect(await verdict({ product_id: other })).toBe('PRODUCT_MISMATCH');
    expect(await verdict({ user_id: buyer + 1 })).toBe('USER_MISMATCH');
    expect(await verdict({ string: 'a.example' })).toBe('NO_ACTIVATION');
    expect(await verdict({ string: 'localhost' })).toBe('VALID');
    await register(code, 'a.example');
    expect(await verdict({ string: 'a.example' })).toBe('VALID');
    expect(await verdict({ string: 'b.example' })).toBe('STRING_MISMATCH');
    await register(code, 'c.example');
    expect(await verdict({ string: 'b.example' })).toBe('LIMIT_REACHED');
    expect(await verdict({ string: 'c.example' })).toBe('VALID');
  });

  test('of a licence that is off, waits or has expired', async () => {
    const { store } = opened.shop;
    const code = async (fields: object) => (await newLicense(fields)).code;
    const pending = await code({ status: 'pending' });
    const inactive = await code({ status: 'inactive' });
    const soon = new Date(store.clock.now().getTime() + 60_000).toISOString();
    const ending = await code({ expires_at: soon });
    const verdict = async (license: string) => (await validate(license)).body.code;
    expect(await verdict(pending)).toBe('PENDING');
    expect(await verdict(inactive)).toBe('INACTIVE');
    store.clock.advance(59);
    expect(await verdict(ending)).toBe('VALID');
    store.clock.advance(1);
    expect(await verdict(ending)).toBe('EXPIRED');
  });

  test('of one made for an order waits for the order', async () => {
    const { api, newOrder } = opened.shop;
    const order = await newOrder({ product_id: product, user_id: buyer });
    const { code } = await newLicense({ order_id: order.id });
    expect((await validate(code)).body).toMatchObject({
      code: 'ORDER_NOT_COMPLETED',
      data: { order_id: order.id },
    });
    await api.patch(`/orders/${order.id}`, { status: 'completed' });
    expect((await validate(code)).body.code).toBe('VALID');
  });

  test('of a code that is none, or of nobody, is not found', async () => {
    for (const license of ['nonsense', newCode(), 'U'.repeat(25)]) {
      for (const path of ['validate', 'status', 'register', 'reset', 'unregister']) {
        const body = { license, string: 'a.example' };
        const reply = await opened.shop.api.post(`/licenses/${path}`, body);
        expect(reply, path).toMatchObject({ status: 404, body: { code: 'rest_not_found' } });
      }
    }
  });
});

describe('unregistering', () => {
  test('frees the seat of one string', async () => {
    const { api } = opened.shop;
    const { code, id } = await newLicense();
    await register(code, 'a.example');
    await register(code, 'b.example');
    const query = new URLSearchParams({ license: code, string: 'http://A.example/' }).toString();
    const reply = await api.get(`/licenses/unregister?${query}`);
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: { data: { released: 1, remaining: 1, license: { id, strings: ['b.example'] } } },
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect((await api.get(`/licenses/${id}`)).body.data).toEqual(reply.body.data.license);
    expect((await api.get(`/licenses/unregister?${query}`)).status).toBe(404);
    expect((await register(code, 'c.example')).body.valid).toBe(true);
  });

  test('leaves the seats alone for a string that took none', async () => {
    const { api } = opened.shop;
    const { code } = await newLicense();
    await register(code, 'a.example');
    await register(code, 'a.test');
    const body = { license: code, string: 'a.test' };
    const reply = await api.post('/licenses/unregister', body);
    expect(reply.body.data).toMatchObject({ remaining: 1, license: { strings: ['a.example'] } });
  });

  test('is refused for a licence of somebody else', async () => {
    const { code } = await newLicense();
    await register(code, 'a.example');
    const body = { license: code, string: 'a.example', user_id: buyer + 1 };
    for (const path of ['unregister', 'reset']) {
      expect((await opened.shop.api.post(`/licenses/${path}`, body)).status).toBe(404);
    }
  });
});

describe('a reset', () => {
  const reset = (license: string, string?: string) =>
    opened.shop.api.post('/licenses/reset', { license, ...(string && { string }) });

  test('frees every seat, and is counted', async () => {
    const { api } = opened.shop;
    const { code, id } = await newLicense();
    for (const string of ['a.example', 'b.example', 'localhost']) await register(code, string);
    const reply = await api.get(`/licenses/reset?license=${code}`);
    expect(reply).toMatchObject({
      status: 200,
      trips: 2,
      body: {
        data: {
          released: 3,
          remaining: 2,
          license: { strings: [], activation_count: 0, reset_count: 1 },
        },
      },
    });
    expect((await api.get(`/licenses/${id}`)).body.data).toEqual(reply.body.data.license);
  });

  test('of one string leaves the others', async () => {
    const { code } = await newLicense();
    for (const string of ['a.example', 'b.example']) await register(code, string);
    expect((await reset(code, 'a.example')).body.data).toMatchObject({
      released: 1,
      license: { strings: ['b.example'], reset_count: 1 },
    });
  });

  test('that frees nothing does not count', async () => {
    const { code } = await newLicense();
    expect((await reset(code)).body.data).toMatchObject({ released: 0 });
    await register(code, 'a.example');
    const other = await reset(code, 'b.example');
    expect(other.body.data).toMatchObject({ released: 0, license: { reset_count: 0 } });
  });

  test('is possible max_resets times in any 30 days', async () => {
    const { store } = opened.shop;
    const { code } = await newLicense();
    const day = 86_400;
    const attempt = async () => {
      await register(code, 'a.example');
      return reset(code);
    };
    const first = store.clock.now();
    expect((await attempt()).status).toBe(200);
    store.clock.advance(29 * day);
    expect((await attempt()).body.data.license.reset_count).toBe(2);
    expect(await attempt()).toMatchObject({
      status: 409,
      body: {
        code: 'license_reset_limit_reached',
        data: {
          max_resets: 2,
          available_at: new Date(first.getTime() + 30 * day * 1000).toISOString(),
        },
      },
    });
    store.clock.advance(day - 1);
    expect((await attempt()).status).toBe(409);
    store.clock.advance(1);
    // The first of the two is 30 days ago: one more, and not two.
    expect((await attempt()).body.data.license.reset_count).toBe(2);
    expect((await attempt()).status).toBe(409);
    store.clock.advance(29 * day);
    expect((await attempt()).status).toBe(200);
  });

  test('is never possible where none is allowed', async () => {
    const { shop } = opened;
    const license = { active: true, max_resets: 0 };
    const { id } = await shop.newProduct({ license });
    const { code } = await newLicense({ product_id: id });
    await register(code, 'a.example');
    expect(await reset(code)).toMatchObject({
      status: 409,
      body: { data: { max_resets: 0, available_at: null } },
    });
  });
});

describe('lists', () => {
  test('mask the codes unless they are to be revealed', async () => {
    const { api } = opened.shop;
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

  test('take filters, and count what matches', async () => {
    const { api, newUser, newProduct, newOrder } = opened.shop;
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

  test('know how many there are, of each status too', async () => {
    const { api, store } = opened.shop;
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

describe('addresses', () => {
  test('a licence is read by its code and by a string', async () => {
    const { api } = opened.shop;
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
    const { api } = opened.shop;
    const { code, id } = await newLicense();
    await register(code, 'a.example');
    const query = new URLSearchParams({ license: code, string: 'a.example' }).toString();
    for (const path of ['reset', 'unregister', 'validate']) {
      const reply = await opened.shop.store.fetch(
        new Request(`https://shop.example/api/svc/v1/licenses/${path}?${query}`, {
          method: 'HEAD',
        }),
      );
      expect(reply.status, path).toBe(405);
    }
    expect((await api.get(`/licenses/${id}`)).body.data.strings).toEqual(['a.example']);
  });

  test('each takes the scope it is for', async () => {
    const { store } = opened.shop;
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

  test('an activation beyond those shown is known all the same', async () => {
    const { api, store } = opened.shop;
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
