import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/endpoints.ts';
import { answersHead } from '../../src/kernel/endpoint/endpoint.ts';
import { consolePlacesOf } from '../../src/kernel/endpoint/routes.ts';
import { askedOf, dealerOf } from './kinds.ts';
import { type Route, fill, pathParameters, routes, routesOf } from './routes.ts';
import { useScene } from './scene.ts';

const stage = useScene();
const deal = dealerOf(endpoints);
const inFull = new Set(askedOf(endpoints));

const withRecord = endpoints.filter((endpoint) =>
  routesOf(endpoint).some((route) => pathParameters(route, 'id').length > 0),
);

/** Sends a request without the test client, which would look for the declaration. */
async function ask(method: string, address: string, headers: Record<string, string> = {}) {
  const url = new URL(address, 'https://shop.example');
  const response = await stage.scene.send(new Request(url, { method, headers }));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

async function expectNoRoute(method: string, address: string, message?: string): Promise<void> {
  const { status, text, headers } = await ask(method, address);
  expect({ status, body: JSON.parse(text) }, `${method} ${address}`).toEqual({
    status: 404,
    body: {
      code: 'rest_no_route',
      message: message ?? 'There is nothing at this address. See /docs.',
      data: { status: 404 },
    },
  });
  expect(headers.get('server-timing')).toBeNull();
}

function someAddress(route: Route): string {
  const ids = pathParameters(route, 'id').map((name) => [name, 1]);
  const texts = pathParameters(route, 'text').map((name) => [name, 'a']);
  return fill(route, Object.fromEntries([...ids, ...texts]));
}

const places = [...routes, ...consolePlacesOf(endpoints)];

const methodsAt = (address: string): string[] => {
  const found = places.filter(({ endpoint, path }) => {
    const id = (name: string) => pathParameters({ endpoint, path }, 'id').includes(name);
    const expression = path.replace(/:(\w+)/g, (_, name: string) =>
      id(name) ? '[0-9]{1,15}' : '[^/]+',
    );
    return new RegExp(`^${expression}$`).test(address);
  });
  const heads = found.filter(({ endpoint }) => answersHead(endpoint));
  return [
    ...new Set([...found.map(({ method }) => method), ...(heads.length > 0 ? ['HEAD'] : [])]),
  ].sort();
};

/** Fails unless the address names its methods to every caller. */
async function expectOthersAllowed(method: string, address: string): Promise<void> {
  const { status, text, headers } = await ask(method, address);
  const allowed = methodsAt(decodeURI(address)).join(', ');
  expect(headers.get('allow'), `${method} ${address}`).toBe(allowed);
  expect(headers.get('server-timing')).toBeNull();
  expect({ status, body: text && JSON.parse(text) }).toEqual({
    status: 405,
    body:
      method === 'HEAD'
        ? ''
        : {
            code: 'rest_method_not_allowed',
            message: `This address takes ${allowed}.`,
            data: { status: 405 },
          },
  });
}

describe('an unknown id is the documented 404', () => {
  // An open link redirects visitors even if its affiliate is unknown.
  test.each(withRecord.filter(({ access }) => access.kind !== 'open'))('$id', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const before = await scene.contents();
    for (const route of routesOf(endpoint)) {
      for (const name of pathParameters(route, 'id')) {
        for (const id of deal(endpoint, [999_999_999, 999_999_999_999_999])) {
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

describe('an id that is not 1 to 15 digits matches no route, for any caller', () => {
  const ids = ['-1', '+1', '1.5', '1e3', '0x1', '1'.repeat(16), '١', '１', '1%20', '%201', '1%00'];
  test.each(withRecord)('$id', async (endpoint) => {
    for (const route of routesOf(endpoint)) {
      for (const name of pathParameters(route, 'id')) {
        for (const id of deal(endpoint, ids)) {
          const address = someAddress({ ...route, path: route.path.replace(`:${name}`, id) });
          // A place that also takes a text accepts any address.
          const isText = methodsAt(decodeURI(address)).length > 0;
          await (isText ? expectOthersAllowed : expectNoRoute)(route.method, address);
        }
      }
    }
  });
});

describe('a known path with another method lists the allowed methods, for any caller', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'patch'];
  const paths = [...new Map(routes.map((route) => [route.path, route])).values()];
  test.each(paths)('$path', async (route) => {
    const address = someAddress(route);
    const taken = methodsAt(address);
    const others = methods.filter((method) => !taken.includes(method));
    for (const method of deal(route.endpoint, others)) {
      await expectOthersAllowed(method, address);
    }
  });
});

describe('an address near a known path has no route', () => {
  const near = 'There is no such address; try it without the trailing slash.';
  const paths = [...new Map(routes.map((route) => [route.path, route])).values()];
  test.each(paths)('$path', async (route) => {
    const address = someAddress(route);
    const below = address.replace(/\/?$/, '/');
    if (methodsAt(`${below}nothing-here`).length === 0) {
      await expectNoRoute(route.method, `${below}nothing-here`);
    }
    if (below !== address) await expectNoRoute(route.method, below, near);
    if (methodsAt(address.toUpperCase()).length === 0) {
      await expectNoRoute(route.method, address.toUpperCase());
    }
  });
});

describe('HEAD answers as GET does, without the body', () => {
  const gets = routes.filter(({ method, endpoint }) => method === 'GET' && answersHead(endpoint));
  const bare = (headers: Headers) =>
    Object.fromEntries(
      [...headers].filter(([name]) => !['x-request-id', 'server-timing'].includes(name)),
    );

  test.each(gets.filter(({ endpoint }) => inFull.has(endpoint)))('$path $only', async (route) => {
    const { scene } = stage;
    const { endpoint } = route;
    const example = await scene.example(endpoint);
    const query = new URLSearchParams({ ...route.only, ...example.query }).toString();
    const address = `${fill(route, example.params)}${query && `?${query}`}`;
    const credentials = await scene.credentials(endpoint, example);
    for (const headers of [credentials, {}]) {
      const get = await ask('GET', address, headers);
      const head = await ask('HEAD', address, headers);
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      expect(bare(head.headers)).toEqual(bare(get.headers));
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
