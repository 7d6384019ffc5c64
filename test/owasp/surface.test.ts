import { placesOf, consolePlacesOf, exportPlacesOf } from '../../src/kernel/endpoint/routes.ts';
import { describe, expect, test } from 'vitest';
import { createApp, finderOf } from '../../src/app.ts';
import { openDeployment } from '../../src/services.ts';
import { routes } from '../contract/routes.ts';
import { authorization, useScene } from '../contract/scene.ts';
import { endpoints, pages as modulePages } from '../../src/endpoints.ts';
import { itemOf } from '../../src/kernel/endpoint/exports.ts';
import { filledIn } from '../../src/domain/message/filling.ts';
import { provedElsewhere } from './elsewhere.ts';

const stage = useScene();

async function service(variables: Record<string, string> = {}) {
  const { store } = stage.scene;
  const { neon, environment, clock } = store;
  const services = await openDeployment(
    {
      ...(await environment),
      ...variables,
      DATABASE_ENDPOINT: { fetch: (_: string, init?: RequestInit) => fetch(neon.url, init) },
    },
    clock,
  );
  const app = createApp(services, () => {});
  const send = async (method: string, path: string, headers: Record<string, string> = {}) =>
    app.fetch(new Request(`https://shop.example${path}`, { method, headers }), {}, store.context);
  return { app, send };
}

const sharing = (response: Response) =>
  [...response.headers].filter(([name]) => name.startsWith('access-control-'));

describe('API8:2023 Security misconfiguration', () => {
  provedElsewhere({
    'contract/answers.ts': ["'strict-transport-security'", '/^access-control|^x-powered|^server$/'],
    'contract/answers.test.ts': [
      'an internal error is a 500 that reveals nothing but its request id, and is logged',
    ],
    'contract/routing.test.ts': [
      'a known path with another method lists the allowed methods, for any caller',
      'HEAD answers as GET does, without the body',
    ],
    'contract/docs.test.ts': ['the page may load and run only files of its own origin'],
    'kernel/events/addresses.test.ts': ['the development switch stops the service from starting'],
    'worker/worker.test.ts': [
      'a worker without its secrets names the missing ones, but no values of others',
    ],
  });

  const preflight = (origin: string) => ({
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  });

  test('no page of another origin reads anything, unless an origin is configured', async () => {
    const { send } = await service();
    for (const origin of ['https://shop.example', 'https://evil.example', 'null']) {
      const asked = await send('OPTIONS', '/api/svc/v1/orders', preflight(origin));
      expect(asked.status).toBe(405);
      expect(sharing(asked)).toEqual([]);
      expect(sharing(await send('GET', '/api/svc/v1/orders', { origin }))).toEqual([]);
    }
  });

  test('a configured origin is allowed, similar ones are not, and cookies never are', async () => {
    const app = 'https://app.example';
    const { send } = await service({ CORS_ORIGINS: app });
    const asked = await send('OPTIONS', '/api/svc/v1/orders', preflight(app));
    expect(asked.headers.get('access-control-allow-origin')).toBe(app);
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    expect(asked.headers.get('x-content-type-options')).toBe('nosniff');
    const lookalikes = [
      ...['https://app.example.evil.example', 'https://evilapp.example', 'http://app.example'],
      ...['https://app.example:8443', 'https://sub.app.example', 'https://APP.example', 'null'],
    ];
    for (const origin of lookalikes) {
      const refused = await send('OPTIONS', '/api/svc/v1/orders', preflight(origin));
      expect(refused.headers.get('access-control-allow-origin'), origin).toBeNull();
      const read = await send('GET', '/api/svc/v1/orders', { origin });
      expect(read.headers.get('access-control-allow-origin'), origin).toBeNull();
    }
    const read = await send('GET', '/api/svc/v1/orders', { origin: app });
    const readable = read.headers.get('access-control-expose-headers');
    const names = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'ETag', 'Content-Disposition'];
    for (const name of names) expect(readable?.split(',')).toContain(name);
    expect(sharing(await send('GET', '/docs', { origin: app }))).toEqual([]);
  });

  test('values from headers and address are not repeated in the answer', async () => {
    const { send } = await service();
    const text = 'x<script>alert(1)</script>';
    for (const path of [`/${text}`, `/api/svc/v1/orders?${text}=${text}`, `/docs?q=${text}`]) {
      const response = await send('GET', path, {
        'x-forwarded-host': text,
        'x-original-url': text,
        referer: `https://evil.example/${text}`,
      });
      expect(await response.text(), path).not.toContain('<script>alert');
      expect(JSON.stringify([...response.headers]), path).not.toContain('alert');
    }
  });

  test('names that every JavaScript object has are treated like others', async () => {
    const { scene } = stage;
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      for (const value of ['', '1']) {
        expect((await scene.api.get(`/orders?${name}=${value}`)).status, name).toBe(200);
      }
      const user_id = scene.administrator;
      const issued = await scene.api.post('/sessions', { user_id, provider: name });
      expect(issued.status, name).toBe(200);
      const session = scene.client(authorization(issued.body.data.token));
      const switched = await session.post('/me/switch-user', { user_id: scene.buyer });
      expect(switched.status, name).toBe(200);
    }
    expect(filledIn('{{constructor}} {{name}}', { name: 'Bo' })).toBe('{{constructor}} Bo');
  });

  test('only GETs of public data are stored by caches', () => {
    const cached = endpoints.filter(({ headers }) =>
      headers?.['cache-control']?.includes('public'),
    );
    for (const { id, effect, access } of cached) {
      expect({ effect, access: access.kind }, id).toEqual({ effect: 'read', access: 'open' });
    }
  });
});

describe('API9:2023 Improper inventory management', () => {
  provedElsewhere({
    'contract/openapi.test.ts': ['has every route and no other', 'equals the reviewed snapshot'],
    'contract/operations.test.ts': [
      'the list of additions has exactly the operations that the contract lacks',
      'no two routes have the same method and path',
    ],
  });

  test('the service answers at the routes of the endpoint table, and at no others', async () => {
    const { app } = await service({
      MODULES: (await stage.scene.store.environment)['MODULES'] ?? '',
    });
    const { config } = await stage.scene.store.deployment();
    const served = [
      ...finderOf(config).places,
      // Routes besides the table have a certain method.
      ...app.routes.filter(({ method }) => method !== 'ALL'),
    ].map(({ method, path }) => `${method} ${path}`);
    const places = [
      ...routes,
      ...placesOf(modulePages, config.REST_ROOT),
      ...consolePlacesOf(endpoints),
    ];
    const declared = [
      ...places,
      ...exportPlacesOf(places, (endpoint) => itemOf(endpoint) !== undefined),
    ].map(({ method, path }) => `${method} ${path}`);
    // Pages: those of the console, and one for unknown addresses of the documentation.
    const pages = ['GET /console/*', 'GET /docs/*'];
    expect([...new Set(served)].sort()).toEqual([...new Set([...declared, ...pages])].sort());
  });

  test.each([
    ...[
      '/debug',
      '/metrics',
      '/status',
      '/admin',
      '/test',
      '/graphql',
      '/swagger',
      '/swagger.json',
    ],
    ...['/.env', '/.git/config', '/.git/HEAD', '/package.json', '/wrangler.toml', '/.dev.vars'],
    ...['/actuator', '/actuator/health', '/server-status', '/phpinfo.php', '/wp-login.php'],
    ...['/api', '/api/v1', '/api/svc/v0/orders', '/api/svc/v2/orders', '/api/svc/v1/debug'],
    ...[
      '/api/svc/v1/keys',
      '/api/svc/v1/api-keys',
      '/api/svc/v1/settings',
      '/api/svc/v1/audit-log',
    ],
    ...['/__scheduled', '/cdn-cgi/handler/scheduled', '/outbound', '/sql', '/src/worker.ts'],
    ...['/docs/../.dev.vars', '/docs/%2e%2e/package.json', '/media/../../.dev.vars'],
  ])('%s is not found', async (path) => {
    const { send } = await service();
    for (const method of ['GET', 'POST']) expect((await send(method, path)).status).toBe(404);
  });
});
