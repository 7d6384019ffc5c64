import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuseHeld } from '../../src/cli/demo/database.ts';
import { storeSecrets } from '../../src/cli/store-secrets.ts';
import { long } from '../harness/long.ts';
import { type Store, openStore } from '../harness/store.ts';
import { freePort } from '../harness/ports.ts';
import { Checkout, type Start, clientOf } from './checkout.ts';
import { expectWhole, patience } from './interrupted.ts';

let checkout: Checkout;
let store: Store;
let port: string;

beforeEach(async () => {
  store = await openStore('new');
});

afterEach(() => store.close());

/** Opens the store's database by `npm start`, with or without the secrets of its deployment. */
async function open(options: string[] = [], secrets: 'with' | 'without' = 'with'): Promise<Start> {
  const { API_KEY_PEPPERS = '', SESSION_KEYS = '' } = await store.environment;
  return checkout.start(
    {
      PORT: port,
      DATABASE_URL: store.databaseUrl,
      ...(secrets === 'with' && { API_KEY_PEPPERS, SESSION_KEYS }),
    },
    ...options,
  );
}

/**
 * Runs `npm start` until it ends by itself.
 * @returns the end of its output
 */
async function refusal(start: Start): Promise<string> {
  await once(start.process, 'close');
  expect(start.process.exitCode).toBe(1);
  return start.output().trim().split('\n').at(-1) ?? '';
}

async function rows(): Promise<Record<string, number>> {
  const { rows: tables } = await store.database.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('stored_functions', 'store_mark', 'backfills')`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rowCount } = await store.database.query(`select from ${name}`);
    if (rowCount) counts[name] = rowCount;
  }
  return counts;
}

const settings = async () =>
  (await store.database.query<Record<string, unknown>>('select * from settings')).rows[0];

describe('npm start with DATABASE_URL', () => {
  beforeEach(async () => {
    checkout = new Checkout();
    port = String(await freePort());
  });

  afterEach(() => checkout.remove());

  long(
    'writes nothing without the secrets of the deployment',
    async () => {
      await store.key();
      const before = await rows();
      const start = await open([], 'without');
      await start.prints('one per line');
      expect(start.output()).toContain('start with API_KEY_PEPPERS and SESSION_KEYS set');
      for (const word of ['svcapi_', '#link=', 'Demo', 'undefined'])
        expect(start.output()).not.toContain(word);
      expect(checkout.demo().api_key).toBeUndefined();
      const key = checkout.run('key', ['create', '--name', 'Mine', '--all-scopes']);
      await once(key.process, 'close');
      expect(key.output()).toMatch(/^Set API_KEY_PEPPERS too/);
      await start.end('SIGINT');
      expect(await rows()).toEqual(before);
    },
    patience,
  );

  long(
    'and the secrets of the deployment adds only a key, even to a store that has nothing but settings',
    async () => {
      const api = await store.key();
      await store.database.query("update settings set store_name = 'Roti', version = 2");
      const [before, set] = [await rows(), await settings()];
      const start = await open();
      await start.prints('one per line');
      expect(start.output()).toContain(
        'Its data is in the database of DATABASE_URL, to which only an API key was added.',
      );
      expect(start.output()).toContain('npm run --silent key -- administrator you@example.com');
      for (const word of ['Demo', 'Tokens', 'A new order', 'webhook', 'undefined', 'null'])
        expect(start.output()).not.toContain(word);
      expect(checkout.demo().tokens).toEqual({});
      expect(await rows()).toEqual({
        ...before,
        api_keys: (before['api_keys'] ?? 0) + 1,
        audit_log: (before['audit_log'] ?? 0) + 1,
        api_key_secrets: (before['api_key_secrets'] ?? 0) + 1,
      });
      expect(await settings()).toEqual(set);
      const added = store.client({ authorization: `Bearer ${checkout.demo().api_key}` });
      expect((await added.get('/orders')).status).toBe(200);
      expect((await clientOf(checkout).get('/users')).body.data).toEqual([]);
      expect((await api.get('/webhooks')).body.data).toEqual([]);
      await start.end('SIGINT');
      const closed = checkout.run('settings', ['store_name=Kue']);
      await once(closed.process, 'close');
      expect(closed.output().trim()).toBe('The store is not running: start it with `npm start`.');
      expect(await settings()).toEqual(set);
    },
    patience,
  );

  long(
    'runs due jobs at once and by the clock only with --jobs, and keeps the key of the last start, with the scopes that it lacks',
    async () => {
      let received = 0;
      const receiver = createServer((_, response) => {
        received++;
        response.end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const bound = receiver.address();
      const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/hook`;
      await store.database.query(
        `update settings set currency = 'IDR', currency_exponent = 0 where currency is null`,
      );
      const api = await store.key();
      const user_id = (await api.post('/users', { email: 'buyer@x.example' })).body.data.id;
      const product = { title: 'Kopi', price: 5000 };
      const product_id = (await api.post('/products', product)).body.data.id;
      // The store's clock is months behind, so the order has expired in real time.
      const { body } = await api.post('/orders', { product_id, user_id });
      const due = async () => (await api.get(`/orders/${body.data.id}`)).body.data.status;
      expect(await due()).toBe('on-hold');

      const start = await open();
      await start.prints('one per line');
      expect(start.output()).toContain("The store's deployment runs the due jobs.");
      const webhook = { url, events: ['*'] };
      expect((await clientOf(checkout).post('/webhooks', webhook)).status).toBe(201);
      expect((await clientOf(checkout).post('/users', { email: 'b@x.example' })).status).toBe(201);
      const cron = `http://127.0.0.1:${port}/cdn-cgi/local/scheduled`;
      expect((await fetch(cron, { method: 'POST' })).status).toBe(404);
      await start.end('SIGINT');
      expect([await due(), received]).toEqual(['on-hold', 0]);
      const { api_key } = checkout.demo();
      await store.database.query("update api_keys set scopes = '{orders:read}'");

      const working = await open(['--jobs']);
      await working.prints('one per line');
      expect((await fetch(cron, { method: 'POST' })).status).toBe(200);
      expect(checkout.demo().api_key).toBe(api_key);
      expect((await clientOf(checkout).get('/payout-runs')).status).toBe(200);
      await expect.poll(due).toBe('cancelled');
      await expect.poll(() => received).toBeGreaterThan(0);
      await working.end('SIGINT');
      receiver.close();
    },
    patience,
  );

  long(
    'beside another store of the checkout keeps a file of its own, and names it',
    async () => {
      const first = await open();
      await first.prints('one per line');
      const before = checkout.demo();
      port = String(await freePort());
      const second = await open();
      await second.prints('one per line');
      const file = `demo-${port}.json`;
      expect(second.output()).toContain(`Another store of this checkout is open`);
      expect(second.output()).toContain(`.local/${file}`);
      expect(first.output()).not.toContain('Another store');
      expect(checkout.demo()).toEqual(before);
      expect(checkout.demo(file).base_url).toBe(`http://127.0.0.1:${port}`);
      await second.end('SIGINT');
      await first.end('SIGINT');
    },
    patience,
  );

  long(
    '--demo fills an empty database, and is refused for it afterwards',
    async () => {
      const start = await open(['--demo']);
      await expectWhole(start, checkout);
      await start.end('SIGINT');
      const before = await rows();
      expect(await refusal(await open(['--demo']))).toMatch(
        /^The database in DATABASE_URL is not empty \([a-z_]+\)\. The demo store needs an empty one\./,
      );
      expect(await rows()).toEqual(before);
    },
    patience,
  );
});

test.for([
  [
    'a key',
    'api_keys',
    "insert into api_keys (name, scopes, created_at) values ('a', '{}', now())",
  ],
  ['settings', 'settings', "update settings set store_name = 'Roti'"],
  ['settings that were set and set back', 'settings', 'update settings set version = 3'],
  [
    'a row',
    'revoked_sessions',
    'insert into revoked_sessions values (gen_random_uuid(), now(), now())',
  ],
  [
    'a row of another application',
    'elsewhere.notes',
    "create schema elsewhere; create table elsewhere.notes as select 'mine' as text",
  ],
] as const)('The demo is refused for a database that has %s', async ([, table, statement]) => {
  await refuseHeld(store.databaseUrl);
  await store.database.query(statement);
  await expect(refuseHeld(store.databaseUrl)).rejects.toThrow(
    `The database in DATABASE_URL is not empty (${table}). The demo store needs an empty one.`,
  );
});

test('The secrets of a database in DATABASE_URL must be set together or not at all', async () => {
  const { SESSION_KEYS = '', API_KEY_PEPPERS = '' } = await store.environment;
  const given = { DATABASE_URL: store.databaseUrl, SESSION_KEYS };
  await expect(storeSecrets(given, false)).rejects.toThrow(
    'Set both API_KEY_PEPPERS and SESSION_KEYS to the values of the deployment of this database.',
  );
  await expect(storeSecrets({ ...given, API_KEY_PEPPERS: 'x' }, false)).rejects.toThrow(
    'API_KEY_PEPPERS',
  );
  expect(await storeSecrets({ ...given, API_KEY_PEPPERS }, false)).toEqual({
    secrets: { API_KEY_PEPPERS, SESSION_KEYS },
    source: 'environment',
  });
});
