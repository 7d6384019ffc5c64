import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withDatabase } from '../../src/cli/support/database.ts';
import { long } from '../harness/long.ts';
import { freePort } from '../harness/ports.ts';
import { Checkout, type Start, clientOf } from './checkout.ts';
import { CommandProcess } from './command-process.ts';
import {
  breakOff,
  expectClosed,
  expectWhole,
  moments,
  openAfterKill,
  patience,
} from './interrupted.ts';

let checkout: Checkout;
let refused: Checkout;
let refusing: CommandProcess;
let port: string;

beforeAll(() => {
  refused = new Checkout('test');
  refusing = new CommandProcess(join(refused.folder, 'test/local/fixtures/commands.ts'));
});

afterAll(async () => {
  await refusing.end();
  await refused.remove();
});

beforeEach(async () => {
  port = String(await freePort());
});

async function refusal(environment: Record<string, string>, code = 1): Promise<string> {
  const file = join(refused.folder, 'src/cli/start.ts');
  const outcome = await refusing.run({ file, typed: [], environment });
  expect(outcome.code, outcome.printed).toBe(code);
  return outcome.printed.trim();
}

/** The parts of the store's document that are tested here. */
interface Published {
  info: { description: string };
  components: { schemas: { LicenseCheck: { examples: [{ license: string; string: string }] } } };
}

const settings = { CORS_ORIGINS: 'http://localhost:5173/', MODULES: 'slm', IDEMPOTENCY_DAYS: '3' };

/** Expects an open store to use its port, to follow its settings, and to log requests. */
async function expectOpen(start: Start): Promise<void> {
  expect(await refusal({ PORT: port })).toContain(
    `Port ${port} is taken by a store that is open (data in ${checkout.path('')}). Close it, or`,
  );
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

  const api = clientOf(checkout);
  const { license, string } = published.components.schemas.LicenseCheck.examples[0];
  expect((await api.get(`/licenses/by-code/${license}`)).body.data.string).toBe(string);
  expect((await api.post('/licenses/status', { license, string })).body.code).toBe('VALID');
  await api.get('/nowhere');
  await start.prints('  404 GET /api/svc/v1/nowhere  0 trips, 0 ms\n');
}

describe('A store', () => {
  beforeEach(() => {
    checkout = new Checkout();
  });

  afterEach(() => checkout.remove());

  test(
    'opens whole on its port, works as its settings say, and leaves nothing running once it is closed',
    async () => {
      const start = checkout.start({ PORT: port, ...settings });
      await expectWhole(start, checkout);
      await expectOpen(start);
      expect(start.output()).not.toContain('undefined');
      expect(await start.end('SIGINT', 'group')).toBe(0);
      expectClosed(checkout);
    },
    patience,
  );

  long(
    'that an earlier version made opens at another port, and its key gets the scopes of this version',
    async () => {
      const former = checkout.start({ PORT: port });
      await former.prints('The store is open');
      const { api_key, database_url } = checkout.demo();
      await withDatabase(database_url, (client) =>
        client.query(
          `update api_keys set scopes = array_remove(array_remove(scopes, 'payouts:read'), 'risks:read')`,
        ),
      );
      await former.end('SIGINT');

      const start = checkout.start({ PORT: String(await freePort()) });
      await start.prints('The store is open');
      expect(checkout.demo().api_key).toBe(api_key);
      for (const path of ['/payout-runs', '/risks', '/webhooks'])
        expect((await clientOf(checkout).get(path)).status, path).toBe(200);
    },
    patience,
  );

  long(
    'whose PostgreSQL ends by itself says so, and closes with 1',
    async () => {
      const start = checkout.start({ PORT: port });
      const closed = once(start.process, 'close');
      await expectWhole(start, checkout);
      const [pid] = readFileSync(checkout.path('postgres/postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGKILL');
      expect(await closed).toEqual([1, null]);
      expect(start.output()).toContain('\nPostgreSQL has ended by itself. Closing the store.\n');
      expect(checkout.workers()).toEqual([]);
    },
    patience,
  );

  long(
    'whose earlier starts were broken off opens complete on its port, keeps its settings, and has the same data after it was closed',
    async () => {
      await breakOff(checkout, port, 'the first user');
      let start = checkout.start({ PORT: port });
      await moments['a few orders'](start, checkout);
      await start.end('SIGKILL');
      const [left] = checkout.workers();
      expect(await refusal({ PORT: port })).toContain(
        `a store that was killed left its worker behind, process ${left?.pid} (data in ${checkout.path('')}). End it with \`kill ${left?.pid}\`, or`,
      );

      start = await openAfterKill(checkout, { PORT: port, ...settings });
      await expectOpen(start);
      const api = clientOf(checkout);
      const { body } = await api.get('/orders?per_page=1');
      const last = `/orders/${body.data[0].id}`;
      await api.patch(last, { status: 'cancelled' });
      expect((await api.delete(`${last}?force=true`)).status).toBe(200);
      expect((await api.patch('/users/4', { status: 'blocked' })).status).toBe(200);
      await start.end('SIGINT');

      start = checkout.start({ PORT: port });
      await start.prints('The store is open');
      expect((await clientOf(checkout).get('/orders?per_page=1')).body.meta.pagination.total).toBe(
        62,
      );
      expect(Object.keys(checkout.demo().tokens)).toEqual(['admin', 'affiliate']);
      expect(start.output()).not.toContain('undefined');
    },
    patience,
  );
});

describe('A start is refused, in a line or two,', () => {
  test('on a port that is no number', async () => {
    expect(await refusal({ PORT: 'abc' }, 2)).toBe(
      'PORT must be a number from 1 to 65535, like 8787; not "abc".',
    );
  });

  test('with a variable that the worker would refuse', async () => {
    expect(await refusal({ PORT: port, CORS_ORIGINS: 'localhost' })).toMatch(
      /^The service is not configured:\n {2}CORS_ORIGINS must be origins/,
    );
  });

  test('with an unknown module', async () => {
    expect(await refusal({ PORT: port, MODULES: 'nope' })).toBe(
      'MODULES names modules that do not exist or were not deployed: nope.',
    );
  });

  test('with secrets of an earlier start that were changed, which stay as they are', async () => {
    const file = refused.path('secrets.json');
    mkdirSync(refused.path(''), { recursive: true });
    writeFileSync(file, '{}');
    expect(await refusal({ PORT: port, MODULES: 'nope' }, 2)).toBe(
      `${file} differs from what a command writes: put it right.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('{}');
    rmSync(file);
  });

  test('with a malformed address of a database, or one where no database answers', async () => {
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
});
