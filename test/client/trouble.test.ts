import { describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
import {
  ApiError,
  ConnectionError,
  UnexpectedAnswerError,
  createClient,
} from '../../packages/client/src/index.ts';
import type { ClientOptions } from '../../packages/client/src/options.ts';
import { refused, said, useServer } from './server.ts';

const server = useServer();

const client = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: server.url, apiKey: 'svcapi_test', ...options });

const busy = refused(429, 'rest_too_many_requests', { 'retry-after': '0' });
const away = refused(503, 'rest_unavailable', { 'retry-after': '0' });
const proxy = { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway' };
const inProgress = refused(409, 'rest_idempotency_in_progress', { 'retry-after': '0' });

const errorOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: Error) => error,
  );

const create = () => client().orders.create({ product_id: 1, user_id: 4 });

describe('a write that fails temporarily', () => {
  test.each([
    ['too many requests', busy],
    ['no database', away],
    ['a proxy without a service', proxy],
    ['a connection that ends', 'hang up'],
    ['its own first try, still at work', inProgress],
  ] as const)('%s: is sent again with the same key and body', async (_, trouble) => {
    server.answers = [trouble, said({ id: 12 })];
    expect((await create()).data).toEqual({ id: 12 });
    expect(server.asked).toHaveLength(2);
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(server.asked.map(({ body }) => body)).size).toBe(1);
  });

  test('has a new key in the next call', async () => {
    server.answers = [said({ id: 12 })];
    await create();
    await create();
    const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  long('is given up after the configured number of tries, if it keeps failing', async () => {
    server.answers = [away];
    const error = await errorOf(client({ tries: 3 }).orders.list());
    expect(error).toMatchObject({ name: 'ApiError', code: 'rest_unavailable', status: 503 });
    expect(server.asked).toHaveLength(3);
  });

  test('is not sent again if the service asks to come back in an hour: the caller decides', async () => {
    server.answers = [refused(429, 'rest_too_many_requests', { 'retry-after': '3600' })];
    expect(await errorOf(create())).toMatchObject({ status: 429, retryAfter: 3600 });
    expect(server.asked).toHaveLength(1);
  });
});

describe('a write whose answer the service does not store', () => {
  const rotate = () => client().webhooks.rotate(1);

  test.each([
    ['no database', away],
    ['a proxy', proxy],
    ['a lost connection', 'hang up'],
  ] as const)('%s: is not sent again', async (_, trouble) => {
    server.answers = [trouble];
    await errorOf(rotate());
    expect(server.asked).toHaveLength(1);
  });

  test('is sent again after a 429, because the refused request did nothing', async () => {
    server.answers = [busy, said({ id: 1 })];
    await rotate();
    expect(server.asked).toHaveLength(2);
  });
});

test.each([
  [400, 'rest_invalid_param'],
  [401, 'rest_forbidden'],
  [404, 'rest_not_found'],
  [409, 'rest_conflict'],
  [500, 'rest_internal_error'],
])('a read that is refused with %d %s is not tried again', async (status, code) => {
  server.answers = [refused(status, code)];
  expect(await errorOf(client().orders.get(1))).toMatchObject({ status, code });
  expect(server.asked).toHaveLength(1);
});

describe('errors of the client', () => {
  test('have the message of the service', async () => {
    const params = { quantity: 'must be at least 1' };
    server.answers = [refused(400, 'rest_invalid_param', {}, { params, more: 1 })];
    const error = await errorOf(create());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'No.',
      params,
      data: { more: 1 },
      requestId: 'request-1',
      operation: 'orders.create',
    });
  });

  test('name the server that answered in place of the service', async () => {
    server.answers = [
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
    ];
    const error = await errorOf(client().orders.list());
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error.message).toBe(
      'orders.list: the response (200, text/html) is not from the service. Check the address, and any proxy in between.',
    );
    expect(error).toMatchObject({ status: 200, body: '<!doctype html>' });
    expect(server.asked).toHaveLength(1);
  });

  test('show nothing of an interrupted answer, which may be a secret', async () => {
    const body = '{"success":true,"data":{"token":"secret';
    server.answers = [{ status: 200, body }];
    const error = await errorOf(client().sessions.create({ user_id: 1 }));
    expect(error).toMatchObject({ name: 'UnexpectedAnswerError', status: 200, body: '' });
  });

  test('contain the key with which the outcome of a lost write can be asked for', async () => {
    server.answers = ['hang up'];
    const call = client({ tries: 1 }).orders.create({ product_id: 1, user_id: 4 });
    const error = await errorOf(call);
    expect(error).toMatchObject({ idempotencyKey: server.asked[0]?.headers['idempotency-key'] });
  });

  test('say that nobody answered in time', async () => {
    server.answers = ['never'];
    let calls = 0;
    // Counted here, since a busy server may not have seen a request that short.
    const counted: typeof fetch = (...call) => {
      calls += 1;
      return fetch(...call);
    };
    const slow = client({ fetch: counted, timeout: 20, tries: 2 });
    const error = await errorOf(slow.orders.list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ operation: 'orders.list', cause: { name: 'AbortError' } });
    expect(calls).toBe(2);
  });
});

describe('a call that is aborted', () => {
  const reason = new Error('The user left.');

  test('ends even if fetch does not support signals, like one that times out', async () => {
    const deaf: typeof fetch = () => new Promise(() => undefined);
    const late = client({ fetch: deaf, timeout: 20, tries: 1 });
    expect(await errorOf(late.orders.list())).toBeInstanceOf(ConnectionError);
    const ending = new AbortController();
    const call = errorOf(client({ fetch: deaf }).orders.list({}, { signal: ending.signal }));
    ending.abort(reason);
    expect(await call).toBe(reason);
  });

  test('fails with the reason while it waits for an answer', async () => {
    server.answers = ['never'];
    const ending = new AbortController();
    const call = errorOf(client().orders.list({}, { signal: ending.signal }));
    await expect.poll(() => server.asked.length).toBe(1);
    ending.abort(reason);
    expect(await call).toBe(reason);
  });

  test('fails with the reason between two tries', async () => {
    server.answers = [refused(503, 'rest_unavailable', { 'retry-after': '30' })];
    const ending = new AbortController();
    const call = errorOf(client().orders.list({}, { signal: ending.signal }));
    await expect.poll(() => server.asked.length).toBe(1);
    ending.abort(reason);
    expect(await call).toBe(reason);
    expect(server.asked).toHaveLength(1);
  });

  test('sends no request if it was aborted before', async () => {
    expect(await errorOf(client().orders.list({}, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(server.asked).toEqual([]);
  });
});

test('a credential that no header can carry is neither sent nor quoted in the error', async () => {
  const error = await errorOf(client({ apiKey: 'svcapi_secret\nsvcapi_other' }).orders.list());
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe('authorization has characters that no header can carry.');
  expect(server.asked).toEqual([]);
});

test('a redirected write fails, because the answer belongs to another request', async () => {
  const elsewhere = { status: 301, headers: { location: '/elsewhere' }, body: '' };
  server.answers = [elsewhere, said([])];
  expect(await errorOf(create())).toMatchObject({ name: 'UnexpectedAnswerError', status: 301 });
  expect(server.asked).toHaveLength(1);
});

test('a list whose pages link to themselves is not read for ever', async () => {
  const page = { success: true, data: [{ id: 1 }], meta: { next_cursor: 'same' } };
  server.answers = [{ status: 200, body: JSON.stringify(page) }];
  const read: number[] = [];
  const reading = async () => {
    for await (const { id } of client().orders.list.all()) read.push(id);
  };
  expect((await errorOf(reading())).message).toMatch('orders.list: a page leads to itself.');
  expect(read).toEqual([1, 1]);
});

describe('a deployment with other paths for its operations', () => {
  const lost = refused(404, 'rest_no_route');
  const root = { status: 200, body: JSON.stringify({ api_base: 'https://a.example/b/svc/v1' }) };

  test('is found by calls that are made at the same time', async () => {
    const asked: string[] = [];
    const answering: typeof fetch = (address) => {
      const { pathname } = new URL(new Request(address).url);
      asked.push(pathname);
      const { status, body } = { '/': root, '/b/svc/v1/orders': said([]) }[pathname] ?? lost;
      return Promise.resolve(new Response(body, { status }));
    };
    const { orders } = client({ fetch: answering });
    await Promise.all([orders.list(), orders.list()]);
    expect(asked.toSorted()).toEqual([
      '/',
      '/api/svc/v1/orders',
      '/api/svc/v1/orders',
      '/b/svc/v1/orders',
      '/b/svc/v1/orders',
    ]);
  });

  test('is asked again if it could not answer', async () => {
    server.answers = [lost, 'hang up', lost, root, said([])];
    const { orders } = client();
    expect(await errorOf(orders.list())).toMatchObject({ code: 'rest_no_route' });
    await orders.list();
    expect(server.asked.at(-1)?.path).toBe('/b/svc/v1/orders');
  });

  test("can't redirect calls to another host", async () => {
    const body = JSON.stringify({ api_base: '@127.0.0.1:1/svc/v1' });
    server.answers = [lost, { status: 200, body }];
    expect(await errorOf(client().orders.list())).toMatchObject({ code: 'rest_no_route' });
  });
});

test.each([0, 13, Number.NaN])('%d is refused as a number of tries', (tries) => {
  expect(() => client({ tries })).toThrow(RangeError);
});

test.each([0, Infinity, Number.NaN])('a timeout of %d is refused', (timeout) => {
  expect(() => client({ timeout })).toThrow(RangeError);
});

test.each(['https://shop.example?a=b', 'https://me:secret@shop.example', 'https://shop.example#a'])(
  'the address %s is refused',
  (url) => {
    expect(() => client({ url })).toThrow(TypeError);
  },
);
