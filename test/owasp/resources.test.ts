import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../src/app.ts';
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts';
import type { RateLimit } from '../../src/kernel/deployment/services.ts';
import { openDeployment } from '../../src/services.ts';
import { endpoints } from '../../src/endpoints.ts';
import { mainRoute } from '../contract/routes.ts';
import { shapeOf, valuesWith } from '../contract/schemas.ts';
import { authorization, useScene } from '../contract/scene.ts';
import { ApiClient, fromConsole } from '../harness/client.ts';
import { provedElsewhere } from './elsewhere.ts';

const stage = useScene();

describe('API4:2023 Unrestricted resource consumption', () => {
  provedElsewhere({
    'contract/input.test.ts': [
      'a body of the largest size is accepted, and a larger one is refused even in chunks',
    ],
    'contract/mistakes.ts': ["Deep enough to overflow a parser's stack."],
    'contract/examples.test.ts': [
      'the example of an endpoint succeeds in as many trips as its kind takes',
    ],
    'kernel/events/webhooks.test.ts': [
      'show the answer of the receiver, 2 kB at most, and can be sent again',
    ],
    'kernel/events/fairness.test.ts': ['A deliverer has five requests under way at most'],
  });

  const lists = endpoints.filter(({ query }) => shapeOf(query)['per_page']);

  test.each(lists)('$id returns at most 100 records a page', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const ask = (query: Record<string, string>) =>
      scene.call(caller, mainRoute(endpoint), example, { query });
    const { body } = await ask({ per_page: '999999999' });
    expect(body.meta.pagination?.per_page ?? body.data.length).toBeLessThanOrEqual(100);
    for (const [name, value] of [
      ['per_page', '0'],
      ['per_page', '-1'],
      ['page', '1000001'],
    ] as const) {
      if (!shapeOf(endpoint.query)[name]) continue;
      expect((await ask({ [name]: value })).status, `${name}=${value}`).toBe(400);
    }
  });

  const limited = endpoints.filter(
    ({ query }) => shapeOf(query)['limit'] && !shapeOf(query)['per_page'],
  );
  test.each(limited)('$id accepts a limit, but not an arbitrary one', async (endpoint) => {
    const { scene } = stage;
    const example = await scene.example(endpoint);
    const caller = await scene.caller(endpoint, example);
    const query = { limit: '999999999999999' };
    const reply = await scene.call(caller, mainRoute(endpoint), example, { query });
    expect([200, 400]).toContain(reply.status);
    if (reply.status === 200) expect([reply.body.data].flat().length).toBeLessThanOrEqual(250);
  });

  const withInput = endpoints.filter(({ body, query }) => body ?? query);

  test.each(withInput)('every text that $id accepts has a maximum length', (endpoint) => {
    const unbounded = [endpoint.body, endpoint.query].flatMap((schema) =>
      Object.entries(shapeOf(schema)).flatMap(([name, field]) => {
        const accepted = valuesWith('a'.repeat(100_000), field).filter(
          (value) => field.safeParse(value).success,
        );
        return accepted.map(() => name);
      }),
    );
    expect(unbounded).toEqual([]);
  });

  test.each(withInput)('every list that $id accepts has a maximum length', ({ body }) => {
    const unbounded = listsIn(body ? z.toJSONSchema(body, options) : {}).filter(
      (list) => typeof list['maxItems'] !== 'number' && !list['prefixItems'],
    );
    expect(unbounded).toEqual([]);
  });

  /** Texts that slow down regular expressions with nested or neighbouring repetitions. */
  const bombs = ['a', '1', ' ', '.', '-', '/', '<', '&', '"', 'a@', 'a.', '1,', '<a ', 'é', '\t']
    .map((part) => part.repeat(50_000))
    .flatMap((text) => [text, `${text}!`, `https://${text}`, `2026-01-01T${text}`]);

  test.each(withInput)('no text makes $id slow', (endpoint) => {
    for (const schema of [endpoint.body, endpoint.query]) {
      for (const field of Object.values(shapeOf(schema))) {
        for (const bomb of bombs)
          for (const value of valuesWith(bomb, field)) field.safeParse(value);
      }
    }
  });

  describe('rate limits', () => {
    /** Counts calls, and refuses them once its limit is reached. */
    class Gate implements RateLimit {
      readonly keys: string[] = [];
      full = false;
      async limit({ key }: { key: string }) {
        this.keys.push(key);
        return { success: !this.full };
      }
    }
    let callers: Gate, failures: Gate;
    type Send = (request: Request) => Promise<Response>;
    let send: Send;
    let token: string;
    const address = '203.0.113.7';

    /** A service with both limits, which are stated in its configuration or not. */
    const opened = async (figures: Readonly<Record<string, string>>): Promise<Send> => {
      const { store } = stage.scene;
      const services = await openDeployment(
        {
          ...(await store.environment),
          DATABASE_ENDPOINT: {
            fetch: (_: string, init?: RequestInit) => fetch(store.neon.url, init),
          },
          CALLER_RATE_LIMIT: callers,
          FAILURE_RATE_LIMIT: failures,
          ...figures,
        },
        store.clock,
      );
      const app = createApp(services, () => {});
      return async (request) => app.fetch(request, {}, store.context);
    };

    beforeAll(async () => {
      [callers, failures] = [new Gate(), new Gate()];
      send = await opened({ CALLER_LIMIT: '600/60', FAILURE_LIMIT: '20/30' });
      ({ token } = await stage.scene.store.createKey());
    });

    const client = (headers: Record<string, string>, by = send) =>
      new ApiClient(by, { 'cf-connecting-ip': address, ...headers });

    test('count a caller by a hash of its credentials', async () => {
      callers.keys.length = 0;
      await client(authorization(token)).get('/orders');
      await client(authorization(token)).get('/products');
      expect(new Set(callers.keys).size).toBe(1);
      expect(callers.keys[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(failures.keys).toEqual([]);
    });

    test('count each failed authentication for its IP address, whatever the credentials were', async () => {
      failures.keys.length = 0;
      const other = await stage.scene.store.createKey({ scopes: ['orders:read'] });
      for (const [headers, path, status] of [
        [{}, '/orders', 401],
        [authorization('nonsense'), '/orders', 401],
        [authorization('nonsense'), '/me', 401],
        [authorization(other.token), '/users', 403],
      ] as const) {
        expect((await client(headers).get(path)).status).toBe(status);
      }
      expect(failures.keys).toEqual([address, address, address]);
    });

    test('answer 429 with the time to wait, before the database is queried', async () => {
      callers.full = true;
      const reply = await client(authorization(token)).get('/orders');
      callers.full = false;
      expect(reply).toMatchObject({
        status: 429,
        trips: 0,
        body: { code: 'rest_too_many_requests', data: { status: 429 } },
      });
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'retry-after': '60',
        ratelimit: '"default";r=0;t=60',
        'ratelimit-policy': '"default";q=600;w=60',
      });
    });

    test('apply even if their size is unknown, and then no size is stated in the answer', async () => {
      const untold = client(authorization(token), await opened({}));
      expect((await untold.get('/orders')).status).toBe(200);
      callers.full = true;
      const reply = await untold.get('/orders');
      callers.full = false;
      expect(reply.status).toBe(429);
      expect(reply.headers.get('retry-after')).toBe('60');
      expect([...reply.headers.keys()].join()).not.toMatch(/ratelimit/i);
    });

    test('answer 429 to callers who keep guessing, and serve callers with valid credentials', async () => {
      failures.full = true;
      const guess = await client(authorization('nonsense')).get('/orders');
      const good = await client(authorization(token)).get('/orders');
      failures.full = false;
      expect(guess).toMatchObject({ status: 429, trips: 0 });
      expect(guess.headers.get('retry-after')).toBe('30');
      expect(good.status).toBe(200);
    });

    test('do not count a request to the console without a cookie against a caller', async () => {
      callers.keys.length = 0;
      const visitor = client(fromConsole());
      expect((await visitor.get('//console/api/session')).status).toBe(401);
      expect(callers.keys).toEqual([]);
    });

    test('count a visit of a sign-in link by IP address, whatever cookie and key it sends', async () => {
      callers.keys.length = 0;
      const link = 'nonsense';
      for (const headers of [{}, { cookie: '__Host-console=one' }, authorization('another')]) {
        const visitor = client({ ...fromConsole(), ...headers });
        await visitor.post('//console/api/links/look', { link });
        await visitor.post('//console/api/session', { link });
      }
      expect(callers.keys).toHaveLength(6);
      expect(new Set(callers.keys).size).toBe(1);
    });

    test('count open writes by IP address, except callbacks of providers', async () => {
      callers.keys.length = 0;
      const open = endpoints.filter(
        ({ access, effect, rawBody }: Endpoint) =>
          access.kind === 'open' && effect === 'write' && rawBody === undefined,
      );
      for (const endpoint of open) {
        const example = await stage.scene.example(endpoint);
        const headers = await stage.scene.credentials(endpoint, example);
        await stage.scene.call(client(headers), mainRoute(endpoint), example);
      }
      expect(callers.keys).toHaveLength(open.length);
      expect(new Set(callers.keys).size).toBe(1);
    });
  });
});

describe('API6:2023 Unrestricted access to sensitive business flows', () => {
  provedElsewhere({
    'races/coupons.test.ts': [
      'parallel orders, exactly three get a coupon with the limit 3',
      'a buyer gets no more than the limit per user in 20 parallel orders',
    ],
    'races/limits.test.ts': [
      'exactly 3 get an order, and the others are refused as out of stock',
      'exactly one is placed, and the others are refused as too soon',
    ],
    'races/licenses.test.ts': [
      'get the three seats of a licence, and no more',
      'of 20 resets at once, three succeed',
    ],
    'races/subscriptions.test.ts': ['of 20 parallel orders, a user gets one trial'],
    'races/commissions.test.ts': ['pay each commission once'],
    'races/idempotency.test.ts': ['one places an order, and all get its answer'],
    'operations/reminders/reminders.test.ts': [
      'a reminder is resent at most five times a day, and not while it is being sent',
    ],
  });
});

const options = { io: 'input', unrepresentable: 'any' } as const;

function listsIn(part: unknown): Record<string, unknown>[] {
  if (typeof part !== 'object' || part === null) return [];
  // Free-form parts are limited as a whole.
  const parts = Object.entries(part).filter(([name]) => name !== '$defs');
  const inner = parts.flatMap(([, value]) => listsIn(value));
  return 'type' in part && part.type === 'array' ? [{ ...part }, ...inner] : inner;
}
