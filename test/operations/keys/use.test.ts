import { beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { runJobs } from '../../../src/jobs/index.ts';
import type { RateLimit } from '../../../src/kernel/deployment/services.ts';
import { long } from '../../harness/long.ts';
import { type ApiClient, fromConsole } from '../../harness/client.ts';
import { useStoreFixture } from '../../harness/store-fixture.ts';

const opened = useStoreFixture();
let client: ApiClient;
let key: { id: number; api: ApiClient };

beforeEach(async () => {
  client = await signedIn();
  key = await newKey();
});

async function signedIn(): Promise<ApiClient> {
  const { fixture } = opened;
  const { id } = await fixture.newAdministrator();
  return fixture.store.client(fromConsole(await fixture.store.consoleSession(id)));
}

async function newKey(scopes: ('orders:read' | 'products:read' | 'checkout:read')[] = []) {
  const { store } = opened.fixture;
  const { id, token } = await store.createKey({
    scopes: ['orders:read', 'products:read', ...scopes],
  });
  return { id, api: store.client({ authorization: `Bearer ${token}` }) };
}

/** Returns this caller at another isolate with empty counters. */
async function isolate(api: ApiClient, limit?: RateLimit): Promise<ApiClient> {
  const { store } = opened.fixture;
  const services = await store.services();
  const callers = limit && { binding: limit, allowed: undefined };
  const app = createApp({ ...services, callers }, () => {});
  return api.through(async (request) => app.fetch(request, {}, store.context));
}

/** Reads the use as the console shows it, without unused days. */
async function use(id = key.id) {
  await opened.fixture.store.settled();
  const reply = await client.get(`//console/api/v1/keys/${id}/use`);
  expect(reply).toMatchObject({ status: 200, trips: 1 });
  const { days, ...others } = reply.body.data;
  expect(days).toHaveLength(30);
  const called = days.filter(({ calls }: { calls: Record<string, number> }) =>
    Object.values(calls).some((n) => n > 0),
  );
  return { days: called, ...others };
}

const none = { '2xx': 0, '4xx': 0, '5xx': 0, '429': 0 };

/** Records the rest of the last minute. */
async function minuteLater() {
  await opened.fixture.store.settled();
  opened.fixture.store.clock.advance(60);
  await opened.fixture.api.get('/orders');
  await opened.fixture.store.settled();
}

describe('The use of a key', () => {
  test('is shown from its first request, whatever other keys do', async () => {
    const { fixture } = opened;
    await fixture.api.get('/orders');
    expect((await use()).days).toEqual([]);
    const reply = await key.api.get('/orders');
    expect(reply.trips).toBe(1);
    const day = fixture.store.clock.now().toISOString().slice(0, 10);
    expect((await use()).days).toEqual([{ day, calls: { ...none, '2xx': 1 } }]);
  });

  long('is counted in full under parallel callers, with a write a minute', async () => {
    const { neon } = opened.fixture.store;
    await key.api.get('/orders');
    await opened.fixture.store.settled();
    const before = neon.trips.total;
    const calls = Array.from({ length: 60 }, (_, n) =>
      key.api.get(n % 3 === 0 ? '/orders/987654' : '/products'),
    );
    await Promise.all(calls);
    await opened.fixture.store.settled();
    expect(neon.trips.total - before).toBe(60);
    await minuteLater();
    const { days, refusals } = await use();
    expect(days).toMatchObject([{ calls: { ...none, '2xx': 41, '4xx': 20 } }]);
    expect(refusals).toHaveLength(20);
  });

  test('is the sum of all isolates', async () => {
    const isolates = await Promise.all(Array.from({ length: 12 }, () => isolate(key.api)));
    await Promise.all(isolates.map((api) => api.get('/orders')));
    expect((await use()).days).toMatchObject([{ calls: { ...none, '2xx': 12 } }]);
  });

  test('is counted by days in the time zone of the store', async () => {
    const { fixture } = opened;
    await fixture.set('timezone', 'Asia/Kathmandu');
    const { clock } = fixture.store;
    clock.set('2026-03-20T18:14:00Z');
    await key.api.get('/orders');
    clock.set('2026-03-20T18:16:00Z');
    await key.api.get('/orders');
    client = await signedIn();
    const days = (await use()).days.map(({ day }: { day: string }) => day);
    expect(days).toEqual(['2026-03-20', '2026-03-21']);
    await fixture.set('timezone', 'UTC');
  });

  test('names the scopes that none of its requests needed', async () => {
    const { id, api } = await newKey(['checkout:read']);
    await api.get('/orders');
    expect((await use(id)).unused_scopes).toEqual(['products:read', 'checkout:read']);
  });

  test('is forgotten after 90 days', async () => {
    const { store } = opened.fixture;
    await key.api.get('/orders/987654');
    expect((await use()).refusals).toHaveLength(1);
    store.clock.advance(91 * 86_400);
    await runJobs(await store.services(), () => {});
    const { rows } = await store.database.query(
      `select 1 from api_key_use where api_key_id = $1
       union all select 2 from api_key_refusals where api_key_id = $1`,
      [key.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('The refusals of a key', () => {
  test('show the request and the reason, newest first', async () => {
    const { store } = opened.fixture;
    await key.api.get('/orders/987654', { headers: { 'cf-ray': 'a-first' } });
    store.clock.advance(60);
    await key.api.get('/users', { headers: { 'cf-ray': 'a-second' } });
    store.clock.advance(60);
    const invalid = { headers: { 'cf-ray': 'a-third' } };
    await key.api.get('/orders?page=x', invalid);
    const { refusals } = await use();
    expect(refusals).toMatchObject([
      { request_id: 'a-third', operation: 'orders.list', status: 400, code: 'rest_invalid_param' },
      { request_id: 'a-second', operation: 'users.list', status: 403, code: 'rest_forbidden' },
      { request_id: 'a-first', operation: 'orders.get', status: 404, code: 'rest_not_found' },
    ]);
  });

  test('include the replay of a refused write', async () => {
    const { fixture } = opened;
    const { id, token } = await fixture.store.createKey();
    const api = fixture.store.client({ authorization: `Bearer ${token}` });
    const headers = { 'idempotency-key': 'a-refusal' };
    const order = { product_id: 987_654, user_id: 987_654 };
    for (let times = 0; times < 2; times++) {
      await api.post('/orders', order, { headers });
      fixture.store.clock.advance(60);
    }
    const codes = (await use(id)).refusals.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(['rest_not_found', 'rest_not_found']);
  });

  test('are the last fifty refusals', async () => {
    const { store } = opened.fixture;
    for (let n = 0; n < 70; n++) {
      await key.api.get('/orders/987654', { headers: { 'cf-ray': `number-${n}` } });
      if (n === 30) store.clock.advance(60);
    }
    await minuteLater();
    const ids = (await use()).refusals.map(({ request_id }: { request_id: string }) => request_id);
    expect(ids).toEqual(Array.from({ length: 50 }, (_, n) => `number-${69 - n}`));
    const { rowCount } = await store.database.query(
      'select from api_key_refusals where api_key_id = $1',
      [key.id],
    );
    expect(rowCount).toBe(50);
  });

  test('are not recorded for a revoked or unknown key', async () => {
    const { store } = opened.fixture;
    await store.database.query('update api_keys set revoked_at = $2 where id = $1', [
      key.id,
      store.clock.now(),
    ]);
    expect((await key.api.get('/orders')).status).toBe(401);
    expect(await use()).toMatchObject({ days: [], refusals: [] });
  });
});

test('a request over the limit is counted for its key, and displaces no refusal', async () => {
  let success = true;
  const api = await isolate(key.api, { limit: async () => ({ success }) });
  await api.get('/orders/987654');
  await opened.fixture.store.settled();
  success = false;
  for (let times = 0; times < 3; times++) expect((await api.get('/orders')).status).toBe(429);
  opened.fixture.store.clock.advance(60);
  expect((await api.get('/orders')).trips).toBe(0);
  const { days, refusals } = await use();
  expect(days).toMatchObject([{ calls: { ...none, '4xx': 1, '429': 4 } }]);
  expect(refusals).toMatchObject([{ status: 404 }]);
});
