import { expect, test } from 'vitest';
import { isCallable } from '../../packages/client/build/operations.ts';
import { createClient, createSessionClient } from '../../packages/client/src/index.ts';
import { documentedEndpoints } from '../../src/endpoints.ts';
import { type Endpoint, isConditional } from '../../src/kernel/endpoint/endpoint.ts';
import { declarationOf } from '../harness/client.ts';

const requests: Request[] = [];
const answering: typeof fetch = async (address, init) => {
  requests.push(new Request(address, init));
  return new Response('{}', { headers: { 'content-type': 'application/json' } });
};
const connection = { url: 'https://shop.example', fetch: answering };
const clients = {
  ...createClient({ ...connection, apiKey: 'svcapi_test' }),
  me: createSessionClient({ ...connection, token: 'token' }),
};

type Call = (...args: unknown[]) => Promise<unknown>;

const functionOf = (id: string): Call =>
  id
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], clients) as Call;

async function requestOf(id: string, ...args: unknown[]): Promise<Request> {
  requests.length = 0;
  await functionOf(id)(...args);
  const [request] = requests;
  if (!request) throw new Error(`${id} made no request.`);
  return request;
}

const pathLength = ({ route: [main] }: Endpoint) => main.split('/:').length - 1;
const takesInput = ({ route: [main], query, body }: Endpoint) =>
  (/^(GET|DELETE)/.test(main) ? query : body) !== undefined;

const callable = documentedEndpoints.filter(isCallable);

test.each(callable)('the function $id calls the operation $id', async (endpoint) => {
  const path = Array.from({ length: pathLength(endpoint) }, (_, i) => i + 1);
  const input = takesInput(endpoint) ? [{ said: 'so' }] : [];
  const request = await requestOf(endpoint.id, ...path, ...input, { idempotencyKey: 'given' });
  expect(declarationOf(request.method, new URL(request.url))?.id).toBe(endpoint.id);
  const said =
    request.method === 'GET' || request.method === 'DELETE' ? request.url : await request.text();
  expect(said.includes('said')).toBe(input.length > 0);
  const key = request.headers.get('idempotency-key');
  expect(key).toBe(request.method === 'GET' ? null : 'given');
});

test('the client leaves out operations that are open to everybody, and those that repeat another one with a query', () => {
  expect(clients).not.toHaveProperty('platform');
  expect(clients).not.toHaveProperty('licenses.validateByQuery');
});

const conditional = callable.filter(isConditional);

test.each(conditional)(
  '$id sends the given If-Match, or else the version of the record',
  async (endpoint) => {
    const ids = Array.from({ length: pathLength(endpoint) }, () => ({ id: 7, version: 3 }));
    const input = takesInput(endpoint) ? [{}] : [];
    const given = await requestOf(endpoint.id, ...ids, ...input, { ifMatch: 4 });
    expect(given.headers.get('if-match')).toBe('4');
    if (ids.length === 0) return;
    const byRecord = await requestOf(endpoint.id, ...ids, ...input);
    expect(byRecord.headers.get('if-match')).toBe('3');
  },
);

test('a read takes a record in place of its id, and sends no If-Match', async () => {
  const request = await requestOf('orders.get', { id: 7, version: 3 });
  expect(new URL(request.url).pathname).toBe('/api/svc/v1/orders/7');
  expect(request.headers.get('if-match')).toBeNull();
});

test('an undefined parameter is left out, and a given one is escaped', async () => {
  const query = { status: undefined, search: 'a&b=ü/?' };
  const { url } = await requestOf('orders.list', query);
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ search: 'a&b=ü/?' });
  const { pathname } = new URL((await requestOf('licenses.byCode', 'A/B ?')).url);
  expect(pathname).toBe('/api/svc/v1/licenses/by-code/A%2FB%20%3F');
});

test('a call without an id says what is missing, and sends no request', async () => {
  requests.length = 0;
  const call = functionOf('orders.get');
  expect(() => call(undefined)).toThrow('orders.get needs id, but got undefined.');
  expect(requests).toEqual([]);
});

test.each(['.', '..'])('a path parameter that would change the path is refused: %s', (dots) => {
  requests.length = 0;
  expect(() => functionOf('messageTemplates.get')(dots, 'users')).toThrow(TypeError);
  expect(requests).toEqual([]);
});

test('an error about a record without an id does not quote the record', () => {
  const call = functionOf('orders.get');
  expect(() => call({ data: { email: 'dewi@example.com' } })).toThrow(
    'orders.get needs id, but got an object without id.',
  );
});

test.each(['https://shop.example', 'https://shop.example/', 'https://shop.example/api/svc/v1'])(
  'the address %s leads to the operations and to the feed',
  async (url) => {
    const client = createClient({ ...connection, url, apiKey: 'svcapi_test' });
    requests.length = 0;
    await client.orders.get(1);
    await client.notify.feed({ webhook_id: 1 });
    expect(requests.map((each) => each.url)).toEqual([
      'https://shop.example/api/svc/v1/orders/1',
      'https://shop.example/api/svc-notify/v1/feed?webhook_id=1',
    ]);
  },
);
