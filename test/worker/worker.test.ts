import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBareWorkerd, runWorker } from '../../src/local/worker/index.ts';
import { endpoints } from '../../src/endpoints.ts';
import { builtWorker } from '../harness/built-worker.ts';
import { long } from '../harness/long.ts';
import { ApiClient, formOf } from '../harness/client.ts';
import type { Trip } from '../../src/local/neon/faults.ts';
import { openStore, type Store } from '../harness/store.ts';
import { pictures } from '../lib/pictures.ts';

let script: string;
let store: Store;
let worker: Awaited<ReturnType<typeof runBareWorkerd>>;
let api: ApiClient;

const setup = async (bindings: Record<string, string> = {}) => ({
  script,
  bindings: { ...(await store.environment), ...bindings },
  neonUrl: store.neon.url,
  compatibilityDate: '2026-10-20',
  compatibilityFlags: ['global_fetch_strictly_public'],
});

/** Sends requests for the in-process service to the worker in workerd. */
const sender = (base: string) => (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return fetch(new Request(base + pathname + search, request));
};

beforeAll(async () => {
  script = await builtWorker();
  store = await openStore();
  worker = await runBareWorkerd(await setup());
  // workerd uses the machine's clock, so keys and tokens must use it, too.
  store.clock.set(new Date().toISOString());
  const { token } = await store.createKey();
  api = new ApiClient(sender(worker.url), { authorization: `Bearer ${token}` });
});

afterAll(async () => {
  await worker.stop();
  await store.close();
});

test('the bundle omits texts that are only for readers', () => {
  const texts = endpoints.flatMap(({ description }) => description ?? []);
  const left = texts.filter((text) => script.includes(text));
  expect(left.length).toBeLessThan(texts.length / 10);
});

test("the bundle keeps the part of a parameter's documentation that the worker acts on", async () => {
  const webhook = { name: 'W', url: 'https://receiver.example/', events: ['order.*'] };
  const { id } = (await api.post('/webhooks', webhook)).body.data;
  await store.database.query(
    `with event as (
       insert into outbox (webhook_id, event_id, event, object_id, data, created_at, attempts,
         next_attempt_at, delivered_at)
       values ($1, gen_random_uuid(), 'order.created', 1, '{"id": 1}', now(), 1, now(), now())
       returning id)
     insert into webhook_log
       (webhook_id, id, outbox_id, event, at, status, code, attempt, milliseconds, answer)
     select $1, i, id, 'order.created', now(), status, 200, 1, 40, ''
       from event, unnest('{success,failed}'::text[]) with ordinality s (status, i)`,
    [id],
  );
  const feed = async (status: string) =>
    (await api.get(`//api/svc-notify/v1/feed?webhook_id=${id}${status}`)).body.data.length;
  expect([await feed(''), await feed('&status=failed'), await feed('&status=')]).toEqual([1, 1, 2]);
});

test('the built bundle sells in workerd', async () => {
  const product = await api.post('/products', { title: 'Course', price: 15_000 });
  const user = await api.post('/users', { email: 'buyer@x.example' });
  const order = { product_id: product.body.data.id, user_id: user.body.data.id };
  const once = { headers: { 'idempotency-key': 'one-order' } };
  const placed = await api.post('/orders', order, once);
  expect(placed).toMatchObject({ status: 201, trips: 2, body: { data: { status: 'on-hold' } } });
  const again = await api.post('/orders', order, once);
  expect(again).toMatchObject({ status: 201, trips: 1, body: placed.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');

  const { body } = await api.post('/sessions', { user_id: user.body.data.id });
  const app = new ApiClient(sender(worker.url), { authorization: `Bearer ${body.data.token}` });
  expect((await app.get('/me/orders')).body.data).toEqual([placed.body.data]);
  const paid = await api.patch(`/orders/${placed.body.data.id}`, { status: 'completed' });
  expect(paid).toMatchObject({ trips: 2, body: { data: { payment_status: 'paid' } } });
});

test('a key or session that is revoked is refused on its very next request', async () => {
  const { id, token } = await store.createKey();
  const key = new ApiClient(sender(worker.url), { 'x-svc-key': token });
  expect((await key.get('/orders')).status).toBe(200);
  await store.database.query('update api_keys set revoked_at = now() where id = $1', [id]);
  expect((await key.get('/orders')).status).toBe(401);
});

test('a file that can not be completed breaks the connection', async () => {
  const { token } = await store.createKey();
  await store.database.query(
    `insert into users (email, created_at, updated_at)
     select n || '@file.example', now(), now() from generate_series(1, 2500) n`,
  );
  const ask = () =>
    fetch(`${worker.url}/api/svc/v1/users.csv?sort=id`, { headers: { 'x-svc-key': token } });
  const whole = await (await ask()).text();
  expect(whole.split('\r\n').length).toBeGreaterThan(2500);

  let pages = 0;
  const isSecond = ({ statements }: Trip) =>
    statements.some((text) => text.includes('from "users"')) && ++pages === 2;
  store.neon.faults.next({ sqlState: '57P03', match: isSecond });
  const file = await ask();
  expect(file.status).toBe(200);
  await expect(file.text()).rejects.toThrow();
});

test('the use of a key is noted after the answer', async () => {
  const { id, token } = await store.createKey();
  const key = new ApiClient(sender(worker.url), { 'x-svc-key': token });
  await key.get('/orders');
  for (let used = 0; used === 0;) {
    const { rowCount } = await store.database.query(
      'select from api_keys where id = $1 and last_used_at is not null',
      [id],
    );
    used = rowCount ?? 0;
  }
});

long('the built bundle keeps pictures in the platform’s bucket and serves them', async () => {
  const simulated = await runWorker({
    ...(await setup()),
    env: { MEDIA: { type: 'r2', name: 'media' } },
  });
  try {
    const { body } = await api.post('/users', { email: 'seller@x.example', roles: ['affiliate'] });
    const { token } = (await api.post('/sessions', { user_id: body.data.id })).body.data;
    const upload = (base: string) => {
      const app = new ApiClient(sender(base), { authorization: `Bearer ${token}` });
      const form = formOf({ file: new Blob([pictures.png]), purpose: 'creative' });
      return app.post('/me/media/upload-image', form);
    };
    const reply = await upload(simulated.url);
    expect(reply).toMatchObject({ status: 201, trips: 2, body: { data: { type: 'image/png' } } });
    const shown = await fetch(`${simulated.url}/media/${reply.body.data.key}`);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(await shown.bytes()).toEqual(pictures.png);
    const without = await upload(worker.url);
    expect(without).toMatchObject({ status: 503, body: { code: 'rest_unavailable' } });
  } finally {
    await simulated.dispose();
  }
});

test('a worker without its secrets names the missing ones, but no values of others', async () => {
  const broken = await runBareWorkerd({ ...(await setup()), bindings: { BASE_URL: 'nonsense' } });
  try {
    const response = await fetch(`${broken.url}/healthz`);
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain('nonsense');
  } finally {
    await broken.stop();
  }
});
