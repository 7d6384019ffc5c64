import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiClient } from '../harness/client.ts';
import { openStore } from '../harness/store.ts';
import { Checkout, type Start, freePort } from './checkout.ts';

let checkout: Checkout;
let port: string;
let start: Start;

beforeEach(async () => {
  checkout = new Checkout();
  port = String(await freePort());
});

afterEach(async () => {
  if (start.process.exitCode === null && start.process.signalCode === null)
    await start.end('SIGINT');
  await checkout.remove();
});

/** For tests of many starts, on a machine that may be busy. */
const patience = 300_000;

/** A client of the open store, with the demo's key. */
function client(): ApiClient {
  const { base_url, api_key } = checkout.demo();
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(base_url + pathname + search, request));
  };
  return new ApiClient(send, { authorization: `Bearer ${api_key}` });
}

/** The demo's orders, and the product and the user that the README's first request names. */
async function expectWholeDemo() {
  const api = client();
  const orders = await api.get('/orders?per_page=1');
  expect(orders.body.meta.pagination.total).toBe(27);
  expect(orders.body.data[0].note).toBe('The last demo order');
  expect((await api.get('/products/1')).body.data.title).toBe('Selling Online, the Course');
  expect((await api.get('/users/4')).body.data.email).toBe('dewi.kartika@demo.example');
  expect((await api.get('/users?per_page=1')).body.meta.pagination.total).toBe(14);
}

/** The store's document, as far as it is looked at here. */
interface Published {
  info: { description: string };
  components: { schemas: { LicenseCheck: { examples: [{ license: string; string: string }] } } };
}

/** Moments of a first start, and how to tell that it is there. */
const moments: readonly (readonly [string, () => Promise<void>])[] = [
  ['PostgreSQL', () => start.prints('PostgreSQL …')],
  ['Migrations', () => start.prints('Migrations …')],
  ['Worker', () => start.prints('Worker …')],
  ['the first user', () => checkout.reaches(start, 'users', 1)],
  ['a few orders', () => checkout.reaches(start, 'orders', 5)],
  ['the last order', () => checkout.reaches(start, 'orders', 27)],
];

describe('A store', () => {
  test(
    'whose starts were killed at any moment opens whole, on its port',
    async () => {
      for (const [, reached] of moments) {
        start = checkout.start({ PORT: port });
        await reached();
        await start.end('SIGKILL');
      }
      // What was killed last had a worker, which has the port.
      const left = checkout.workers();
      expect(left).toHaveLength(1);
      start = checkout.start({ PORT: port });
      await start.prints('The store is open');
      const pids = checkout.workers().map(({ pid }) => pid);
      expect(pids).toHaveLength(1);
      expect(pids).not.toEqual(left.map(({ pid }) => pid));
      await expectWholeDemo();
      expect(readdirSync(checkout.path('')).filter((name) => name.includes('.new'))).toEqual([]);
    },
    patience,
  );

  test(
    'that is broken off with Ctrl-C at any moment says nothing of it, and opens whole',
    async () => {
      // At the last order it can be open before the signal comes.
      for (const [name, reached] of moments.slice(0, -1)) {
        start = checkout.start({ PORT: port });
        await reached();
        expect(await start.end('SIGINT', 'group'), name).toBe(0);
        expect(start.output().trim(), name).toMatch(
          /^Starting the store\n {2}\w[^]*( …| s\n)\nClosing the store\.$/,
        );
        expect(checkout.workers(), name).toEqual([]);
        expect(existsSync(checkout.path('postgres/postmaster.pid')), name).toBe(false);
        const drafts = readdirSync(checkout.path('')).filter((entry) => entry.includes('.new'));
        expect(drafts, name).toEqual([]);
      }
      start = checkout.start({ PORT: port });
      await start.prints('The store is open');
      await expectWholeDemo();
    },
    patience,
  );

  test(
    'is the one that was closed, whoever was removed from it',
    async () => {
      start = checkout.start({
        PORT: port,
        CORS_ORIGINS: 'http://localhost:5173/',
        MODULES: 'wishlist',
        IDEMPOTENCY_DAYS: '3',
      });
      await start.prints('The store is open');
      const { api_base, base_url } = checkout.demo();
      const preflight = await fetch(`${api_base}/me`, {
        method: 'OPTIONS',
        headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' },
      });
      expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
      const cron = await fetch(`${base_url}/cdn-cgi/local/scheduled`, { method: 'POST' });
      expect([cron.status, await cron.text()]).toEqual([200, 'ok']);

      const published = (await (await fetch(`${base_url}/openapi.json`)).json()) as Published;
      expect(published.info.description).toContain('kept for 3 days');

      const api = client();
      const { license, string } = published.components.schemas.LicenseCheck.examples[0];
      expect((await api.get(`/licenses/by-code/${license}`)).body.data.string).toBe(string);
      expect((await api.post('/licenses/status', { license, string })).body.code).toBe('VALID');
      await api.get('/nowhere');
      await start.prints('  404 GET /api/svc/v1/nowhere  0 trips, 0 ms\n');

      const { body } = await api.get('/orders?per_page=1');
      const last = `/orders/${body.data[0].id}`;
      await api.patch(last, { status: 'cancelled' });
      expect((await api.delete(`${last}?force=true`)).status).toBe(200);
      expect((await api.patch('/users/4', { status: 'blocked' })).status).toBe(200);
      await start.end('SIGINT');

      start = checkout.start({ PORT: port });
      await start.prints('The store is open');
      expect((await client().get('/orders?per_page=1')).body.meta.pagination.total).toBe(26);
      expect(Object.keys(checkout.demo().tokens)).toEqual(['admin', 'affiliate']);
      expect(start.output()).not.toContain('undefined');
    },
    patience,
  );
});

describe('A start is refused, in a line or two,', () => {
  const refusal = async (environment: Record<string, string>) => {
    start = checkout.start(environment);
    await once(start.process, 'close');
    expect(start.process.exitCode).toBe(1);
    return start.output().trim();
  };

  test('on what is no port', async () => {
    expect(await refusal({ PORT: 'abc' })).toBe(
      'PORT takes a number from 1 to 65535, like 8787; not "abc".',
    );
  });

  test('with a variable that the worker would refuse', async () => {
    expect(await refusal({ PORT: port, CORS_ORIGINS: 'localhost' })).toMatch(
      /^The service is not configured:\n {2}CORS_ORIGINS takes origins/,
    );
  });

  test('with a module that there is not', async () => {
    expect(await refusal({ PORT: port, MODULES: 'nope' })).toBe('MODULES names no module: nope.');
  });

  test('with a database that is none, or is not there', async () => {
    expect(await refusal({ PORT: port, DATABASE_URL: 'nonsense' })).toMatch(
      /^The service is not configured:\n {2}DATABASE_URL must start with postgres:[^\n]*$/,
    );
    expect(
      await refusal({ PORT: port, DATABASE_URL: 'postgres://postgres@127.0.0.1:1/store' }),
    ).toMatch(
      /\nThe database in DATABASE_URL could not be reached: connect ECONNREFUSED 127\.0\.0\.1:1$/,
    );
  });

  test('on a port that is taken, and another one is named', async () => {
    const server = createServer().listen(Number(port), '127.0.0.1');
    await once(server, 'listening');
    expect(await refusal({ PORT: port })).toBe(
      `Port ${port} is taken. Free it, or choose another port: PORT=${Number(port) + 1} npm start`,
    );
    server.close();
  });

  test('with a database that holds a store of somebody’s own, which stays as it is', async () => {
    const store = await openStore();
    const api = await store.key();
    await api.post('/users', { email: 'customer@x.example' });
    expect(await refusal({ PORT: port, DATABASE_URL: store.databaseUrl })).toMatch(
      /The store in DATABASE_URL is not the demo: .*/,
    );
    expect((await api.get('/users')).body.meta.pagination.total).toBe(1);
    await store.close();
  });
});

test(
  'Who has the port is told, where that is a store',
  async () => {
    start = checkout.start({ PORT: port });
    await checkout.reaches(start, 'users', 1);
    const other = new Checkout();
    const taken = async () => {
      const second = other.start({ PORT: port });
      await once(second.process, 'close');
      return second.output();
    };
    try {
      expect(await taken()).toContain(
        `Port ${port} is taken by a store that is open (data in ${checkout.path('')}). Close it, or`,
      );
      await start.end('SIGKILL');
      const [left] = checkout.workers();
      expect(await taken()).toContain(
        `a store that was killed left its worker behind, process ${left?.pid} (data in ${checkout.path('')}). End it with \`kill ${left?.pid}\`, or`,
      );
    } finally {
      await other.remove();
    }
  },
  patience,
);
