import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgArray, PgText } from 'drizzle-orm/pg-core';
import { expect, test, vi } from 'vitest';
import { manifestPath, manifestText, readManifest } from '../../src/cli/archive/manifest.ts';
import { closedListsOf } from '../../src/cli/archive/closed-lists.ts';
import { readArchive } from '../../src/cli/archive/read.ts';
import { Seal, newSealKey } from '../../src/cli/archive/seal.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { importStore } from '../../src/cli/archive/import.ts';
import { withDatabase } from '../../src/cli/support/database.ts';
import { storeTables } from '../../src/cli/support/store-tables.ts';
import { areOneMigration, migrateDatabase, migrations } from '../../src/cli/migrations/migrate.ts';
import { storedFunctions } from '../../src/kernel/database/writing.ts';
import { expectIntegrity } from '../harness/integrity.ts';
import { StoreFixture } from '../harness/store-fixture.ts';
import { long } from '../harness/long.ts';
import { changeManifest, fill, nobody, useArchives } from './archives.ts';

const archives = useArchives();

/** Writes a manifest in the first format, without a hash of itself. */
async function writeFirstFormat(folder: string): Promise<void> {
  const manifest = { ...(await readManifest(folder)), format: 1 };
  await writeFile(manifestPath(folder), JSON.stringify(manifest));
}

test('a store that was exported is restored row by row, and continues from there', async () => {
  await fill(archives.fixture);
  const folder = await archives.exported();
  const store = await archives.emptyStore();
  const { manifest, raised } = await readArchive(store.database, folder, nobody);
  const { tables } = manifest;
  expect(raised).toEqual([]);
  expect(tables['orders']?.rows).toBe(5);
  expect(tables['refunds']?.rows).toBe(3);
  expect(tables['subscription_changes']?.rows).toBe(1);
  await expectIntegrity({ store });

  const before = (await archives.fixture.api.get('/orders?per_page=100')).body.data;
  const fixture = await StoreFixture.open(store);
  expect((await fixture.api.get('/orders?per_page=100')).body.data).toEqual(before);
  const { id: user_id } = await fixture.newUser({ email: 'later@people.example' });
  const order = await fixture.newOrder({ product_id: before[0].product.id, user_id });
  expect(order.id).toBeGreaterThan(before[0].id);
  await expectIntegrity({ store });
});

test('a sealed archive of the second format, whose files are not bound to their backup, is read', async () => {
  await archives.fixture.newUser({ email: 'former@people.example' });
  const folder = await archives.exported();
  const key = newSealKey();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.ndjson'))) {
    const name = `${file}.sealed`;
    const plain = createReadStream(join(folder, file));
    await writeFile(join(folder, name), new Seal(key).close(name, plain));
    await rm(join(folder, file));
  }
  const manifest = { ...(await readManifest(folder)), format: 2 as const, sealed: true as const };
  await writeFile(manifestPath(folder), manifestText(manifest));
  const store = await archives.emptyStore();
  const read = await readArchive(store.database, folder, nobody, key);
  expect(read.manifest.tables).toEqual(manifest.tables);
});

test('a sealed archive opens only with its key, shows nothing of its rows, and detects changes to its files', async () => {
  await archives.fixture.newUser({ email: 'sealed@people.example' });
  const folder = archives.newFolder();
  const key = newSealKey();
  await writeArchive(archives.fixture.store.database, folder, nobody, key);
  for (const file of await readdir(folder)) {
    if (file !== 'manifest.json') expect(file).toMatch(/\.ndjson\.sealed$/);
    expect((await readFile(join(folder, file))).includes('sealed@people.example')).toBe(false);
  }
  const store = await archives.emptyStore();
  const reading = (by?: string) => readArchive(store.database, folder, nobody, by);
  await expect(reading()).rejects.toThrow('The archive is encrypted: set BACKUP_KEY');
  await expect(reading(newSealKey())).rejects.toThrow(
    'by another BACKUP_KEY, belongs to another backup, or was changed',
  );
  const [one, other] = [join(folder, 'users.ndjson.sealed'), join(folder, 'orders.ndjson.sealed')];
  const whole = await readFile(one);
  for (const bytes of [await readFile(other), whole.subarray(0, -1), whole.subarray(0, 10)]) {
    await writeFile(one, bytes);
    await expect(reading(key)).rejects.toThrow(/users\.ndjson\.sealed .*was sealed by another/);
  }
  const earlier = `${folder}-earlier`;
  await writeArchive(archives.fixture.store.database, earlier, nobody, key);
  await writeFile(one, await readFile(join(earlier, 'users.ndjson.sealed')));
  await expect(reading(key)).rejects.toThrow('belongs to another backup');
  await writeFile(one, whole);
  const { manifest } = await reading(key);
  const again = await writeArchive(store.database, `${folder}-again`, nobody);
  expect(again.tables).toEqual(manifest.tables);
});

test('an archive has the moment of its snapshot, not that of its end', async () => {
  let firstTable = Number.POSITIVE_INFINITY;
  const { exported_at } = await writeArchive(
    archives.fixture.store.database,
    archives.newFolder(),
    () => (firstTable = Math.min(firstTable, Date.now())),
  );
  expect(Date.parse(exported_at)).toBeLessThanOrEqual(firstTable);
});

test('an archive holds every table that migrations make, except those of the deployment', async () => {
  const { tables } = await readManifest(await archives.exported());
  const made = migrations
    .flatMap(({ statements }) => statements)
    .flatMap((text) => [...text.matchAll(/create table (?:if not exists )?"?(\w+)/gi)])
    .map(([, name = '']) => name);
  const ofDeployment = ['store_mark', 'stored_functions'];
  expect([...Object.keys(tables), ...ofDeployment].toSorted()).toEqual(made.toSorted());
});

long('a store whose manifest has too low a counter continues above the existing ids', async () => {
  await archives.fixture.newUser();
  const folder = await archives.exported();
  await changeManifest(folder, ({ sequences }) => {
    for (const sequence of sequences) Object.assign(sequence, { last_value: '1', is_called: true });
  });
  const store = await archives.emptyStore();
  await readArchive(store.database, folder, nobody);
  const { rows } = await store.database.query<{ last: string; highest: string }>(
    'select last_value as last, (select max(id) from users) as highest from users_id_seq',
  );
  expect(rows[0]?.last).toBe(rows[0]?.highest);
});

long(
  'a store can be exported and imported if the databases sort texts by the rules of a language',
  async () => {
    const { store } = archives.fixture;
    await store.database.query(
      `with made as (
       insert into users (display_name, created_at, updated_at) values ('', now(), now()) returning id)
     insert into user_external_ids (user_id, provider, external_id)
     select id, p, p from made, unnest('{app_two,app2,App}'::text[]) p`,
    );
    const folder = await archives.exported();
    const url = new URL(store.databaseUrl);
    const { database } = store;
    await database.query(
      `create database sorted template template0 locale_provider icu icu_locale 'en' locale 'C.UTF-8'`,
    );
    url.pathname = '/sorted';
    await migrateDatabase(url.href);
    const again = archives.newFolder();
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
    const folder = await archives.exported();
    await changeManifest(folder, ({ sequences }) => {
      const orders = sequences.find(({ name }) => name === 'orders_id_seq');
      Object.assign(orders ?? {}, { last_value: '1', is_called: true });
    });
    const store = await archives.emptyStore();
    expect((await readArchive(store.database, folder, nobody)).raised).toEqual(['orders']);
    const fixture = await StoreFixture.open(store);
    const [last] = (await fixture.api.get('/orders?per_page=1')).body.data;
    const { id: user_id } = await fixture.newUser({ email: 'later@people.example' });
    const order = await fixture.newOrder({ product_id: last.product.id, user_id });
    expect(order.id).toBeGreaterThan(last.id);
  },
);

long('an archive of the first format, whose manifest has no hash, is read', async () => {
  const folder = await archives.exported();
  await writeFirstFormat(folder);
  const { manifest } = await readArchive((await archives.emptyStore()).database, folder, nobody);
  expect(manifest.format).toBe(1);
});

test.each([
  ['line endings of Windows', migrations.at(-1)?.formerHashes?.[0]],
  ['earlier text', migrations.find(({ name }) => name.startsWith('0005'))?.formerHashes?.at(-1)],
])('the hash of a migration with its %s names the migration in an archive', (_, former = '') => {
  const [own] = migrations.filter(({ formerHashes }) => formerHashes?.includes(former));
  expect(areOneMigration(own?.hash ?? '', former)).toBe(true);
  expect(areOneMigration(migrations[0]?.hash ?? '', former)).toBe(false);
});

long('an archive of a database that was migrated on Windows is read', async () => {
  const folder = await archives.exported();
  const former = migrations.at(-1)?.formerHashes?.[0] ?? '';
  await changeManifest(folder, (manifest) => Object.assign(manifest, { schema: former }));
  await readArchive((await archives.emptyStore()).database, folder, nobody);
});

long('an export that runs out of disk space ends without a manifest', async () => {
  const { database, databaseUrl } = archives.fixture.store;
  await database.query(
    `insert into users (display_name, address, created_at, updated_at)
     select '', repeat('x', 900), now(), now() from generate_series(1, 100)`,
  );
  const folder = archives.newFolder();
  const limited = `ulimit -f 64; exec "$0" src/cli/export.ts ${folder}`;
  const ended = spawnSync('bash', ['-c', limited, process.execPath], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
  });
  expect(ended.status).not.toBe(0);
  expect(await readdir(folder)).not.toContain('manifest.json');
});

test('only its owner may read an archive', async () => {
  const folder = await archives.exported();
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await stat(join(folder, 'users.ndjson'))).mode & 0o077).toBe(0);
});

/** Lists of texts without a closed list: ids of a product's own options. */
const openLists = ['orders.stock_counters'];

test('every column with a list of texts is checked against a closed list, or is listed as open', () => {
  const unchecked = storeTables.flatMap((table) => {
    const name = getTableName(table);
    return Object.values(getTableColumns(table))
      .filter((column) => is(column, PgArray) && is(column.baseColumn, PgText))
      .filter((column) => !closedListsOf(name).some((list) => list.column === column.name))
      .map((column) => `${name}.${column.name}`);
  });
  expect(unchecked).toEqual(openLists);
});

long(
  'an import that was interrupted after it read the archive continues, and is refused once it ended',
  async () => {
    const folder = await archives.exported();
    const store = await archives.emptyStore();
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
  const folder = await archives.exported();
  await expect(writeArchive(archives.fixture.store.database, folder, nobody)).rejects.toThrow(
    /is not empty/,
  );
});
