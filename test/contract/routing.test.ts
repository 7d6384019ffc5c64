import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/resources/index.ts';
import { type Route, fill, pathParameters, routes, routesOf } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();

const withRecord = endpoints.filter((endpoint) =>
  routesOf(endpoint).some((route) => pathParameters(route, 'id').length > 0),
);

/** Asks without any client in between, which would look the declaration up. */
async function ask(method: string, address: string, headers: Record<string, string> = {}) {
  const url = new URL(address, 'https://shop.example');
  const response = await stage.scene.send(new Request(url, { method, headers }));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

async function expectNoRoute(method: string, address: string): Promise<void> {
  const { status, text, headers } = await ask(method, address);
  expect({ status, body: JSON.parse(text) }, `${method} ${address}`).toEqual({
    status: 404,
    body: {
      code: 'rest_no_route',
      message: 'No route matches this address and method.',
      data: { status: 404 },
    },
  });
  expect(headers.get('server-timing')).toBeNull();
}

/** Whether some route of the table has this method and could be meant by the address. */
const isRouted = (method: string, address: string) =>
  routes.some(
    (route) =>
      route.method === method &&
      new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(address),
  );

describe('an unknown id is the documented 404', () => {
  // An open link leads visitors on, whoever's it was.
  test.each(withRecord.filter(({ access }) => access.kind !== 'open'))('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const before = await scene.contents();
    for (const route of routesOf(endpoint)) {
      for (const name of pathParameters(route, 'id')) {
        for (const id of [999_999_999, 999_999_999_999_999]) {
          const params = { ...example.params, [name]: id };
          const reply = await scene.call(caller, route, example, { params });
          expect(reply.status).toBe(404);
          expect(['rest_not_found', 'rest_user_not_found']).toContain(reply.body.code);
          expect(reply.trips).toBe(1);
        }
        const params = { ...example.params, [name]: 0 };
        const reply = await scene.call(caller, route, example, { params });
        expect([400, 404]).toContain(reply.status);
      }
    }
    expect(await scene.contents()).toEqual(before);
  });
});

describe('an id that is not 1 to 15 digits is no route, whoever asks', () => {
  const ids = ['-1', '+1', '1.5', '1e3', '0x1', '1'.repeat(16), '١', '１', '1%20', '%201', '1%00'];
  test.each(withRecord)('$id', async (endpoint) => {
    for (const route of routesOf(endpoint)) {
      for (const name of pathParameters(route, 'id')) {
        for (const id of ids) {
          const place = { ...route, path: route.path.replace(`:${name}`, id) };
          const others = pathParameters(place, 'id').map((other) => [other, 1]);
          const texts = pathParameters(place, 'text').map((other) => [other, 'a']);
          await expectNoRoute(route.method, fill(place, Object.fromEntries([...others, ...texts])));
        }
      }
    }
  });
});

describe('a known path with another method is no route, whoever asks', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'patch'];
  const paths = [...new Map(routes.map((route) => [route.path, route])).values()];
  test.each(paths)('$path', async (route) => {
    const { scene } = stage;
    const { params } = await scene.example(route.endpoint);
    const address = fill(route, params);
    for (const method of methods.filter((method) => !isRouted(method, address))) {
      await expectNoRoute(method, address);
    }
    const below = address.replace(/\/?$/, '/');
    await expectNoRoute(route.method, `${below}nothing-here`);
    if (below !== address) await expectNoRoute(route.method, below);
    if (!isRouted(route.method, address.toUpperCase())) {
      await expectNoRoute(route.method, address.toUpperCase());
    }
  });
});

describe('HEAD answers as GET does, without the body; where GET writes it is no route', () => {
  const gets = routes.filter(({ method }) => method === 'GET');
  const bare = (headers: Headers) =>
    Object.fromEntries(
      [...headers].filter(([name]) => !['x-request-id', 'server-timing'].includes(name)),
    );

  test.each(gets)('$path', async ({ endpoint, ...place }) => {
    const { scene } = stage;
    const route: Route = { endpoint, ...place };
    const example = await scene.example(endpoint);
    const query = new URLSearchParams(example.query).toString();
    const address = `${fill(route, example.params)}${query && `?${query}`}`;
    const credentials = await scene.credentials(endpoint, example);
    for (const headers of [credentials, {}]) {
      const elsewhere = endpoint.effect === 'write' ? '/nothing-here' : address;
      const get = await ask('GET', elsewhere, headers);
      const head = await ask('HEAD', address, headers);
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      expect(bare(head.headers)).toEqual(bare(get.headers));
    }
  });

  test('and is no route where there is no GET', async () => {
    const others = routes.filter(({ path }) => !gets.some((get) => get.path === path));
    for (const route of others) {
      const { params } = await stage.scene.example(route.endpoint);
      const address = fill(route, params);
      if (isRouted('GET', address)) continue;
      const { status, text } = await ask('HEAD', address);
      expect({ status, text }, route.path).toEqual({ status: 404, text: '' });
    }
  });
});

test.each([
  '/nothing',
  '/api',
  '/api/svc/v1',
  '/api/svc/v1/',
  '/api/svc/v1/me/send-report',
  '/svc/v1/orders',
  '/wp-json/svc/v1/orders',
  '/api/svc/v2/orders',
  '/api/svc-notify/v1/',
  '/api/svc/v1//orders',
  '/api/svc/v1/orders%2f1',
  '/api/svc/v1/orders;a=1',
  '/%00',
  '/%',
])('%s is no route', async (address) => {
  for (const method of ['GET', 'POST']) await expectNoRoute(method, address);
});
