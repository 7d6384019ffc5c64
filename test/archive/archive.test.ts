import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  cp,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns, is } from 'drizzle-orm';
import { PgArray, PgTable, PgText, getTableConfig } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type Manifest,
  manifestPath,
  manifestText,
  readManifest,
} from '../../src/cli/archive/manifest.ts';
import { closedListsOf } from '../../src/cli/archive/closed-lists.ts';
import { readArchive } from '../../src/cli/archive/read.ts';
import { newSealKey } from '../../src/cli/archive/seal.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { importStore } from '../../src/cli/archive/import.ts';
import { withDatabase } from '../../src/cli/support/database.ts';
import { migrateDatabase, migrations } from '../../src/cli/migrations/migrate.ts';
import { leaveGap } from '../../src/cli/support/sequences.ts';
import { storedFunctions } from '../../src/kernel/database/writing.ts';
import * as schema from '../../src/schema/index.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { StoreFixture, useStoreFixture } from '../harness/store-fixture.ts';
import { type Store, openStore } from '../harness/store.ts';
import { long } from '../harness/long.ts';

const opened = useStoreFixture();
const nobody = () => {};
let parent: string;
let archives = 0;
const others: Store[] = [];

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'archive-test-'));
});

afterAll(async () => {
  for (const store of others) await store.close();
  await rm(parent, { recursive: true });
});

async function changeManifest(folder: string, change: (manifest: Manifest) => void): Promise<void> {
  const manifest = await readManifest(folder);
  change(manifest);
  await writeFile(manifestPath(folder), manifestText(manifest));
}

/** Writes a manifest in the first format, without a hash of itself. */
async function writeFirstFormat(folder: string): Promise<void> {
  const manifest = { ...(await readManifest(folder)), format: 1 };
  await writeFile(manifestPath(folder), JSON.stringify(manifest));
}

/** Replaces a list in the first row of a table by one value, and corrects the hash of the file. */
async function giveList(folder: string, table: string, column: string, value: string) {
  const path = join(folder, `${table}.ndjson`);
  const list = new RegExp(`"${column}": ?\\[[^\\]]*\\]`);
  const before = await readFile(path, 'utf8');
  const text = before.replace(list, `"${column}":["${value}"]`);
  expect(text).not.toBe(before);
  await writeFile(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  await changeManifest(folder, ({ tables }) => Object.assign(tables[table] ?? {}, { sha256 }));
}

async function emptyStore(): Promise<Store> {
  const store = await openStore('new');
  others.push(store);
  return store;
}

async function exported(): Promise<string> {
  const folder = join(parent, String(++archives));
  await writeArchive(opened.fixture.store.database, folder, nobody);
  return folder;
}

/**
 * Fills a store with an upline tree, partly refunded orders, a paused subscription, and texts with special characters.
 */
async function fill({
  api,
  newAffiliate,
  newOrder,
  newProduct,
  newUser,
}: StoreFixture): Promise<void> {
  const last = await newAffiliate();
  const first = await newAffiliate({
    display_name: '"\\\n\u2028 \u{1F600}, {}\t',
    affiliate_id: last.id,
  });
  const webhook = { name: 'All', url: 'https://all.example/hook', events: ['order.*'] };
  await api.post('/webhooks', { ...webhook, status: 'paused' });
  const product = await newProduct({
    title: "L'été — ¼ \\u0041 \u2029",
    affiliate: { enabled: true, tiers: [{ tier: 1, type: 'percentage', fee: 10 }] },
  });
  const buyer = await newUser({ affiliate_id: first.id });
  for (const _ of [1, 2, 3]) {
    const order = await newOrder({ product_id: product.id, user_id: buyer.id });
    await api.patch(`/orders/${order.id}`, { status: 'completed' });
    await api.post(`/orders/${order.id}/refunds`, { amount: 100, reason: 'Late' });
  }
  await newOrder({ product_id: product.id, user_id: buyer.id });
  const regular = { duration: 1, period: 'monthly', price: 50_000 };
  const terms = { payment_type: 'recurring', subscription: { active: true, regular } };
  const club = await newProduct(terms);
  await newOrder({ product_id: club.id, user_id: buyer.id, status: 'completed' });
  const { body } = await api.get('/subscriptions');
  expect((await api.post(`/subscriptions/${body.data[0].id}/pause`, {})).status).toBe(200);
}

test('a store that was exported is restored row by row, and continues from there', async () => {
  await fill(opened.fixture);
  const folder = await exported();
  const store = await emptyStore();
  const { manifest, raised } = await readArchive(store.database, folder, nobody);
  const { tables } = manifest;
  expect(raised).toEqual([]);
  expect(tables['orders']?.rows).toBe(5);
  expect(tables['refunds']?.rows).toBe(3);
  expect(tables['subscription_changes']?.rows).toBe(1);
  await expectIntegrity({ store });

  const before = (await opened.fixture.api.get('/orders?per_page=100')).body.data;
  const fixture = await StoreFixture.open(store);
  expect((await fixture.api.get('/orders?per_page=100')).body.data).toEqual(before);
  const { id: user_id } = await fixture.newUser({ email: 'later@people.example' });
  const order = await fixture.newOrder({ product_id: before[0].product.id, user_id });
  expect(order.id).toBeGreaterThan(before[0].id);
  await expectIntegrity({ store });
});

test('a sealed archive opens only with its key, shows nothing of its rows, and detects changes to its files', async () => {
  await opened.fixture.newUser({ email: 'sealed@people.example' });
  const folder = join(parent, String(++archives));
  const key = newSealKey();
  await writeArchive(opened.fixture.store.database, folder, nobody, key);
  for (const file of await readdir(folder)) {
    if (file !== 'manifest.json') expect(file).toMatch(/\.ndjson\.sealed$/);
    expect((await readFile(join(folder, file))).includes('sealed@people.example')).toBe(false);
  }
  const store = await emptyStore();
  const reading = (by?: string) => readArchive(store.database, folder, nobody, by);
  await expect(reading()).rejects.toThrow('The archive is encrypted: set BACKUP_KEY');
  await expect(reading(newSealKey())).rejects.toThrow('by another BACKUP_KEY, or was changed');
  const [one, other] = [join(folder, 'users.ndjson.sealed'), join(folder, 'orders.ndjson.sealed')];
  const whole = await readFile(one);
  for (const bytes of [await readFile(other), whole.subarray(0, -1), whole.subarray(0, 10)]) {
    await writeFile(one, bytes);
    await expect(reading(key)).rejects.toThrow('users.ndjson.sealed was sealed by another');
  }
  await writeFile(one, whole);
  const { manifest } = await reading(key);
  const again = await writeArchive(store.database, `${folder}-again`, nobody);
  expect(again.tables).toEqual(manifest.tables);
});

/** Tables of others: one is written, counted in small numbers, and refers to the store's. */
const addForeignTables = (database: Store['database']) =>
  database.query(
    `create table playing_with_neon (id serial primary key, name text not null);
     create table "My notes" (id smallint generated by default as identity (start with 32000) primary key,
       user_id bigint references users, note text);
     insert into playing_with_neon (name) values ('a sample');
     insert into "My notes" (note) values ('mine');
     create function nothing() returns trigger language plpgsql as 'begin return new; end';
     create trigger nothing before insert on playing_with_neon for each row execute function nothing();
     alter table playing_with_neon disable trigger nothing`,
  );

/** Adds a table of others to an archive, as earlier versions did. */
async function addForeignTable(folder: string): Promise<void> {
  const text = '{"id":1,"name":"a sample"}\n';
  await writeFile(join(folder, 'playing_with_neon.ndjson'), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  await changeManifest(folder, ({ tables, sequences }) => {
    tables['playing_with_neon'] = { rows: 1, sha256 };
    sequences.push({ name: 'playing_with_neon_id_seq', last_value: '1', is_called: true });
  });
}

test('an archive holds every table that migrations make, except those of the deployment', async () => {
  const { tables } = await readManifest(await exported());
  const made = migrations
    .flatMap(({ statements }) => statements)
    .flatMap((text) => [...text.matchAll(/create table (?:if not exists )?"?(\w+)/gi)])
    .map(([, name = '']) => name);
  const ofDeployment = ['store_mark', 'stored_functions'];
  expect([...Object.keys(tables), ...ofDeployment].toSorted()).toEqual(made.toSorted());
});

test('tables of others are left out of an export, and stay as they are in a restore', async () => {
  const { database } = opened.fixture.store;
  const before = await readManifest(await exported());
  await addForeignTables(database);
  try {
    const folder = join(parent, String(++archives));
    const { leftOut, tables, sequences } = await writeArchive(database, folder, nobody);
    expect(leftOut).toEqual(['My notes', 'playing_with_neon']);
    expect({ tables, sequences }).toEqual({ tables: before.tables, sequences: before.sequences });
    await expectIntegrity(opened.fixture);
    const store = await emptyStore();
    await addForeignTables(store.database);
    await readArchive(store.database, folder, nobody);
    await leaveGap(store.database);
    await expectIntegrity({ store });
    const { rows } = await store.database.query(
      `select (select count(*)::int from playing_with_neon) as samples,
              (select last_value::int from "My notes_id_seq") as last,
              (select count(*)::int from pg_constraint where contype = 'f'
                  and conrelid = '"My notes"'::regclass) as keys`,
    );
    expect(rows).toEqual([{ samples: 1, last: 32_000, keys: 1 }]);
  } finally {
    await database.query(`drop table playing_with_neon, "My notes"; drop function nothing`);
  }
});

test('a table of others in an archive of an earlier version is left out, and the import says so', async () => {
  const folder = await exported();
  await addForeignTable(folder);
  const { databaseUrl } = await emptyStore();
  const said = vi.spyOn(console, 'log').mockReturnValue();
  vi.stubEnv('DATABASE_URL', databaseUrl);
  expect(await importStore(folder, true)).toBe(0);
  vi.unstubAllEnvs();
  const lines = said.mock.calls.map(([line]) => line);
  said.mockRestore();
  expect(lines).toContain('Left out, because the store does not have them: playing_with_neon.');
});

test('an export of a database that a later version migrated has all of its tables', async () => {
  const { database } = opened.fixture.store;
  const journal = 'drizzle.__drizzle_migrations';
  await database.query(`create table later (id bigint primary key);
    insert into ${journal} (hash, created_at, name) values ('later', 0, 'later')`);
  const folder = join(parent, String(++archives));
  const { leftOut, tables } = await writeArchive(database, folder, nobody);
  await database.query(`drop table later; delete from ${journal} where hash = 'later'`);
  expect(leftOut).toEqual([]);
  expect(tables).toHaveProperty('later');
});

long('a store whose manifest has too low a counter continues above the existing ids', async () => {
  await opened.fixture.newUser();
  const folder = await exported();
  await changeManifest(folder, ({ sequences }) => {
    for (const sequence of sequences) Object.assign(sequence, { last_value: '1', is_called: true });
  });
  const store = await emptyStore();
  await readArchive(store.database, folder, nobody);
  const { rows } = await store.database.query<{ last: string; highest: string }>(
    'select last_value as last, (select max(id) from users) as highest from users_id_seq',
  );
  expect(rows[0]?.last).toBe(rows[0]?.highest);
});

long(
  'a store can be exported and imported if the databases sort texts by the rules of a language',
  async () => {
    const { store } = opened.fixture;
    await store.database.query(
      `with made as (
       insert into users (display_name, created_at, updated_at) values ('', now(), now()) returning id)
     insert into user_external_ids (user_id, provider, external_id)
     select id, p, p from made, unnest('{app_two,app2,App}'::text[]) p`,
    );
    const folder = await exported();
    const url = new URL(store.databaseUrl);
    const { database } = store;
    await database.query(
      `create database sorted template template0 locale_provider icu icu_locale 'en' locale 'C.UTF-8'`,
    );
    url.pathname = '/sorted';
    await migrateDatabase(url.href);
    const again = join(parent, 'again');
    await withDatabase(url.href, async (client) => {
      await readArchive(client, folder, nobody);
      await writeArchive(client, again, nobody);
    });
    await database.query('drop database sorted');
    const { tables } = await readManifest(again);
    expect(tables).toEqual((await readManifest(folder)).tables);
  },
);

long(
  'new rows get ids above those of an archive whose manifest has too low a counter',
  async () => {
    const folder = await exported();
    await changeManifest(folder, ({ sequences }) => {
      const orders = sequences.find(({ name }) => name === 'orders_id_seq');
      Object.assign(orders ?? {}, { last_value: '1', is_called: true });
    });
    const store = await emptyStore();
    expect((await readArchive(store.database, folder, nobody)).raised).toEqual(['orders']);
    const fixture = await StoreFixture.open(store);
    const [last] = (await fixture.api.get('/orders?per_page=1')).body.data;
    const { id: user_id } = await fixture.newUser({ email: 'later@people.example' });
    const order = await fixture.newOrder({ product_id: last.product.id, user_id });
    expect(order.id).toBeGreaterThan(last.id);
  },
);

long('an archive of the first format, whose manifest has no hash, is read', async () => {
  const folder = await exported();
  await writeFirstFormat(folder);
  const { manifest } = await readArchive((await emptyStore()).database, folder, nobody);
  expect(manifest.format).toBe(1);
});

long('an export that runs out of disk space ends without a manifest', async () => {
  const { database, databaseUrl } = opened.fixture.store;
  await database.query(
    `insert into users (display_name, address, created_at, updated_at)
     select '', repeat('x', 900), now(), now() from generate_series(1, 100)`,
  );
  const folder = join(parent, 'full');
  const limited = `ulimit -f 64; exec "$0" src/cli/export.ts ${folder}`;
  const ended = spawnSync('bash', ['-c', limited, process.execPath], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
  });
  expect(ended.status).not.toBe(0);
  expect(await readdir(folder)).not.toContain('manifest.json');
});

test('only its owner may read an archive', async () => {
  const folder = await exported();
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'users.ndjson'))).mode & 0o077).toBe(0);
});

/** Lists of texts without a closed list: ids of a product's own options. */
const openLists = ['orders.stock_counters'];

test('every column with a list of texts is checked against a closed list, or is listed as open', () => {
  const tables = Object.values(schema).filter((each) => is(each, PgTable)) as PgTable[];
  const unchecked = tables.flatMap((table) => {
    const { name } = getTableConfig(table);
    return Object.values(getTableColumns(table))
      .filter((column) => is(column, PgArray) && is(column.baseColumn, PgText))
      .filter((column) => !closedListsOf(name).some((list) => list.column === column.name))
      .map((column) => `${name}.${column.name}`);
  });
  expect(unchecked).toEqual(openLists);
});

describe('An archive is refused, and nothing is written,', () => {
  let whole: string;
  let store: Store;
  beforeAll(async () => {
    whole = await exported();
    store = await emptyStore();
  });

  const damages: readonly (readonly [string, RegExp, (folder: string) => Promise<unknown>])[] = [
    [
      'where a row was changed',
      /users\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'users.ndjson');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace('@people.example', '@other.example'));
      },
    ],
    [
      'where the end of a file is missing',
      /orders\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'orders.ndjson');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.slice(0, text.trimEnd().lastIndexOf('\n') + 1));
      },
    ],
    [
      'where a line has no end',
      /orders\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'orders.ndjson');
        await truncate(path, (await stat(path)).size - 20);
      },
    ],
    [
      'where a line is there twice',
      /users\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'users.ndjson');
        const [line] = (await readFile(path, 'utf8')).split('\n');
        await appendFile(path, `${line}\n`);
      },
    ],
    [
      'where a row has more than was exported',
      /users\.ndjson differs from the export/,
      async (folder) => {
        const path = join(folder, 'users.ndjson');
        await writeFile(path, (await readFile(path, 'utf8')).replace('{', '{"more":1,'));
      },
    ],
    [
      'where its manifest is not whole',
      /manifest\.json differs from what an export writes/,
      (folder) => truncate(join(folder, 'manifest.json'), 100),
    ],
    [
      'where its manifest lacks a table',
      /manifest\.json names other tables/,
      (folder) => changeManifest(folder, ({ tables }) => delete tables['users']),
    ],
    [
      'where its manifest does not say how far ids are',
      /manifest\.json names other tables/,
      (folder) => changeManifest(folder, ({ sequences }) => sequences.pop()),
    ],
    [
      'where a number of its manifest was changed',
      /manifest\.json differs from what an export writes/,
      async (folder) => {
        const path = manifestPath(folder);
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace(/"last_value": "\d+"/, '"last_value": "1000000"'));
      },
    ],
    [
      'where its manifest lost its hash',
      /manifest\.json differs from what an export writes/,
      async (folder) => {
        const manifest = await readManifest(folder);
        await writeFile(manifestPath(folder), JSON.stringify(manifest));
      },
    ],
    [
      'where a user has a role that does not exist',
      /users\.ndjson has a value of roles/,
      (folder) => giveList(folder, 'users', 'roles', 'root'),
    ],
    [
      'where an API key has a scope that does not exist',
      /api_keys\.ndjson has a value of scopes/,
      (folder) => giveList(folder, 'api_keys', 'scopes', 'everything'),
    ],
    [
      'where a webhook asks for an event that does not exist',
      /webhooks\.ndjson has a value of events/,
      (folder) => giveList(folder, 'webhooks', 'events', 'order.exploded'),
    ],
    [
      'where the settings give access with a status that does not exist',
      /settings\.ndjson has a value of access_statuses/,
      (folder) => giveList(folder, 'settings', 'access_statuses', 'on-hold'),
    ],
    [
      'where its manifest is another one',
      /manifest\.json differs from what an export writes/,
      (folder) => writeFile(join(folder, 'manifest.json'), '{"format": 2}'),
    ],
    [
      'where a file is missing',
      /refunds\.ndjson is missing/,
      (folder) => unlink(join(folder, 'refunds.ndjson')),
    ],
    [
      'where its export was interrupted',
      /has no manifest\.json/,
      (folder) => unlink(join(folder, 'manifest.json')),
    ],
  ];

  const states: readonly (readonly [string, RegExp, (store: Store) => Promise<unknown>])[] = [
    [
      'where it is of another version',
      /of another version/,
      ({ database }) => database.query(`update drizzle.__drizzle_migrations set hash = 'other'`),
    ],
    [
      'where the store is not empty',
      /is not empty/,
      ({ database }) =>
        database.query(
          `insert into users (display_name, created_at, updated_at) values ('', now(), now())`,
        ),
    ],
    [
      'where the store has a key alone',
      /is not empty \(api_keys\)/,
      ({ database }) =>
        database.query(
          `insert into api_keys (name, scopes, signs_in_administrators, created_at)
           values ('', '{}', false, now())`,
        ),
    ],
    [
      'where the store was set up alone',
      /is not empty \(settings\)/,
      ({ database }) => database.query(`update settings set store_name = 'Mine', version = 2`),
    ],
  ];

  long.each(damages)('%s', async (_, message, damage) => {
    const folder = join(parent, String(++archives));
    await cp(whole, folder, { recursive: true });
    await damage(folder);
    await expectRefused(store, folder, message);
  });

  test.each(states)('%s', async (_, message, change) => {
    const changed = await emptyStore();
    await change(changed);
    await expectRefused(changed, whole, message);
  });
});

/** Expects a store to refuse an archive, and to stay unchanged. */
async function expectRefused({ database }: Store, folder: string, message: RegExp) {
  const count = async () => {
    const { rows } = await database.query(
      `select (select count(*) from users) as users, (select count(*) from orders) as orders,
              (select count(*) from pg_constraint where contype = 'f') as references_there,
              (select count(*) from pg_trigger where tgenabled = 'D') as triggers_off`,
    );
    return rows[0];
  };
  const before = await count();
  await expect(readArchive(database, folder, nobody)).rejects.toThrow(message);
  expect(await count()).toEqual(before);
}

long(
  'an import into a store that is not empty is refused before the store is migrated',
  async () => {
    const folder = await exported();
    const { database, databaseUrl } = await emptyStore();
    await database.query(
      `insert into users (display_name, created_at, updated_at) values ('', now(), now())`,
    );
    await database.query(`delete from drizzle.__drizzle_migrations`);
    vi.stubEnv('DATABASE_URL', databaseUrl);
    await expect(importStore(folder, true)).rejects.toThrow(/is not empty/);
    vi.unstubAllEnvs();
  },
);

long(
  'an import that was interrupted after it read the archive continues, and is refused once it ended',
  async () => {
    const folder = await exported();
    const store = await emptyStore();
    await readArchive(store.database, folder, nobody);
    const [trip] = await storedFunctions();
    await store.database.query(`drop function ${trip?.name}`);
    vi.stubEnv('DATABASE_URL', store.databaseUrl);
    expect(await importStore(folder, true)).toBe(0);
    const there = await store.database.query('select from pg_proc where proname = $1', [
      trip?.name,
    ]);
    expect(there.rowCount).toBe(1);
    await expectIntegrity({ store });
    await expect(importStore(folder, true)).rejects.toThrow(/is not empty/);
    vi.unstubAllEnvs();
  },
);

test('an export refuses a folder that has other files', async () => {
  const folder = await exported();
  await expect(writeArchive(opened.fixture.store.database, folder, nobody)).rejects.toThrow(
    /is not empty/,
  );
});
