import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { useScene } from './scene.ts';

// Every answer in this folder is inspected (answers.ts). These tests cover the other answers.
const stage = useScene();

test('an internal error is a 500 that reveals nothing but its request id, and is logged', async () => {
  const { scene } = stage;
  const { database, logs } = scene.store;
  await database.query(`update settings set timezone = 'Nowhere'`);
  const reply = await scene.api.get('/orders?date_start=2026-01-01');
  await database.query(`update settings set timezone = 'UTC'`);
  const request_id = reply.headers.get('x-request-id');
  expect(reply.body).toEqual({
    code: 'rest_internal_error',
    message: 'Something went wrong on our side.',
    data: { status: 500, request_id },
  });
  const line = logs.at(-1);
  expect(line).toMatchObject({
    level: 'error',
    request_id,
    status: 500,
    operation: 'orders.list',
  });
  expect(line?.['stack']).not.toEqual([]);
  expect(JSON.stringify(line)).not.toContain('Nowhere');
});

test('a log line names the caller only once the caller is known', async () => {
  const { scene } = stage;
  const { logs } = scene.store;
  const { id, token } = await scene.store.createKey({ scopes: ['orders:read'] });
  const key = scene.client({ authorization: `Bearer ${token}` });
  await key.get('/orders');
  expect(logs.at(-1)).toMatchObject({ api_key_id: id, operation: 'orders.list', trips: 1 });
  await key.get('/users');
  expect(logs.at(-1)).not.toHaveProperty('api_key_id');
  await (await scene.session(scene.buyer)).get('/me');
  expect(logs.at(-1)).toMatchObject({ user_id: scene.buyer, actor_user_id: null });
  await (await scene.session(999_999_999)).get('/me');
  expect(logs.at(-1)).not.toHaveProperty('user_id');
  await scene.client().get('/nothing-here');
  expect(logs.at(-1)).toMatchObject({ operation: null, status: 404, trips: 0 });
});

test('a log line names an address that the service does not have only in development', async () => {
  const { store } = stage.scene;
  await stage.scene.client().get('/users/dewi@mail.example');
  expect(store.logs.at(-1)).toMatchObject({ path: '/api/svc/v1/users/dewi@mail.example' });
  const services = await store.services();
  const config = { ...services.config, ENVIRONMENT: 'production' as const };
  const lines: object[] = [];
  const app = createApp({ ...services, config }, (line) => lines.push(line));
  await app.request('/api/svc/v1/users/dewi@mail.example');
  expect(lines).toEqual([expect.objectContaining({ operation: null, status: 404 })]);
  expect(JSON.stringify(lines)).not.toContain('dewi');
});

test("a request has the id that the platform gave it, or one of the service's own", async () => {
  const { scene } = stage;
  const given = await scene.client({ 'cf-ray': '8f2c1a7b-CGK' }).get('//healthz');
  expect(given.headers.get('x-request-id')).toBe('8f2c1a7b-CGK');
  const own = await Promise.all([1, 2].map(() => scene.client().get('//healthz')));
  expect(new Set(own.map(({ headers }) => headers.get('x-request-id'))).size).toBe(2);
});
