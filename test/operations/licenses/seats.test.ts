import { describe, expect, test } from 'vitest';
import { newCode } from '../../../src/domain/license/codes.ts';
import { useLicenses } from './stage.ts';

const { opened, buyer, newLicense, register } = useLicenses();

describe('registering a licence', () => {
  test('takes a seat and returns the licence with it', async () => {
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
    const read = await opened.fixture.api.get(`/licenses/${id}`);
    expect(read.body.data).toEqual(reply.body.data.license);
  });

  test('again gives the same answer, however the string is written', async () => {
    const { code } = await newLicense();
    const first = await register(code, 'toko.example');
    for (const string of ['toko.example', 'TOKO.example.', 'http://www.toko.example:80/x']) {
      const typed = code.replaceAll('-', '').toLowerCase();
      const again = await opened.fixture.api.post('/licenses/register', {
        code: typed,
        host: string,
      });
      expect(again).toMatchObject({ status: 200, body: first.body });
    }
  });

  test('is refused above the limit, but development hosts do not count', async () => {
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

  test('takes no seat for a machine that nobody else can reach', async () => {
    const { code } = await newLicense({ activation_limit: 1 });
    await register(code, 'one.example');
    for (const string of [
      'http://127.0.0.1:8000',
      'http://[::1]:3000',
      '192.168.1.10/wp',
      'http://',
    ]) {
      expect(await register(code, string), string).toMatchObject({
        status: 200,
        body: { code: 'VALID', data: { activation: { seat: false } } },
      });
    }
  });

  test('sends an event with this registration only, however many there are', async () => {
    const { fixture } = opened;
    const { code } = await newLicense();
    const webhook = await fixture.api.post('/webhooks', {
      name: 'Licences',
      url: 'https://hooks.example.com/',
      events: ['license.activated'],
      status: 'paused',
    });
    for (const string of ['a.test', 'b.test']) await register(code, string);
    const { rows } = await fixture.store.database.query<{ data: object }>(
      'select data from outbox where webhook_id = $1 order by id',
      [webhook.body.data.id],
    );
    expect(rows.map(({ data }) => data)).toMatchObject([
      { string: 'a.test', strings: ['a.test'], activations: [{ string: 'a.test' }] },
      { string: 'b.test', strings: ['b.test'], activations: [{ string: 'b.test' }] },
    ]);
  });

  test('notifies receivers that one registration ended, or all', async () => {
    const { fixture } = opened;
    const { code } = await newLicense({ activation_limit: 0 });
    const webhook = await fixture.api.post('/webhooks', {
      name: 'Ends',
      url: 'https://hooks.example.com/',
      events: ['license.deactivated'],
      status: 'paused',
    });
    const strings = ['a.example', 'b.example', 'c.example', 'd.example'];
    for (const string of strings) await register(code, string);
    const release = (path: string, string?: string) =>
      fixture.api.post(`/licenses/${path}`, { license: code, ...(string && { string }) });
    expect((await release('unregister', 'a.example')).status).toBe(200);
    expect((await release('reset', 'b.example')).status).toBe(200);
    expect((await release('reset')).status).toBe(200);
    const { rows } = await fixture.store.database.query<{ data: object }>(
      'select data from outbox where webhook_id = $1 order by id',
      [webhook.body.data.id],
    );
    const one = (string: string) => ({
      string: null,
      strings: [],
      activations: [],
      activation: { string },
      released: string,
    });
    expect(rows.map(({ data }) => data)).toMatchObject([
      { ...one('a.example'), activation_count: 3 },
      { ...one('b.example'), activation_count: 2 },
      {
        ...{ string: null, strings: [], activations: [], activation: null, released: null },
        activation_count: 0,
      },
    ]);
  });

  test('is never refused without a limit', async () => {
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
    const first = await opened.fixture.api.post('/licenses/register', body, { headers });
    opened.fixture.store.clock.advance(60);
    const again = await opened.fixture.api.post('/licenses/register', body, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('names the missing fields', async () => {
    const { api } = opened.fixture;
    expect((await api.post('/licenses/register', {})).body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { params: { license: 'is required', string: 'is required' } },
    });
    expect((await register(newCode(), ' ')).body.code).toBe('rest_invalid_param');
  });
});

describe('unregistering a licence', () => {
  test('frees the seat of one string', async () => {
    const { api } = opened.fixture;
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

  test('frees no seat for a string that took none', async () => {
    const { api } = opened.fixture;
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
    const body = { license: code, string: 'a.example', user_id: buyer() + 1 };
    for (const path of ['unregister', 'reset']) {
      expect((await opened.fixture.api.post(`/licenses/${path}`, body)).status).toBe(404);
    }
  });
});

describe('a reset of a licence', () => {
  const reset = (license: string, string?: string) =>
    opened.fixture.api.post('/licenses/reset', { license, ...(string && { string }) });

  test('frees every seat, and is counted', async () => {
    const { api } = opened.fixture;
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
    const { store } = opened.fixture;
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
    // The first of the two resets is 30 days old, so one more is allowed.
    expect((await attempt()).body.data.license.reset_count).toBe(2);
    expect((await attempt()).status).toBe(409);
    store.clock.advance(29 * day);
    expect((await attempt()).status).toBe(200);
  });

  test('is never possible if max_resets is 0', async () => {
    const { fixture } = opened;
    const license = { active: true, max_resets: 0 };
    const { id } = await fixture.newProduct({ license });
    const { code } = await newLicense({ product_id: id });
    await register(code, 'a.example');
    expect(await reset(code)).toMatchObject({
      status: 409,
      body: { data: { max_resets: 0, available_at: null } },
    });
  });
});
