import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { Keys } from '../../src/cli/keys.ts';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { addingSteps } from '../../src/cli/store/adding.ts';
import { checkStore } from '../../src/cli/store/checking.ts';
import { Neon } from '../../src/cli/store/neon.ts';
import { rotationSteps } from '../../src/cli/store/rotating.ts';
import {
  completeSecrets,
  addSecrets,
  noteReady,
  noteUpload,
  noteUploaded,
  readSecrets,
  secretChanges,
} from '../../src/cli/store/secrets.ts';
import { markStore, readMark } from '../../src/cli/support/store-mark.ts';
import { RoleDatabase } from '../harness/roles.ts';
import { useStore } from '../harness/store.ts';
import { CommandProcess } from '../local/command-process.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';
import { FakeNeon } from './vendors/neon.ts';
import { long } from '../harness/long.ts';

const opened = useStore();
const commands = new CommandProcess();
const neon = new FakeNeon(inject('postgresUrl'));
const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.shop.example',
};
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  vi.stubEnv('STORES_DIR', folder);
  vi.stubEnv('NEON_API_KEY', '');
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', 'http://127.0.0.1:1');
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token');
  vi.stubEnv('CLOUDFLARE_ACCOUNT_ID', 'account');
  await neon.open();
});

beforeEach(async () => {
  for (const kind of ['secrets', 'uploaded'])
    await rm(join(folder, `roti.${kind}`), { recursive: true, force: true });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await commands.end();
  await neon.close();
  await rm(folder, { recursive: true, force: true });
});

async function complete() {
  await completeSecrets(store);
  const DATABASE_URL_DIRECT = opened.store.databaseUrl;
  return addSecrets(store, { DATABASE_URL: DATABASE_URL_DIRECT, DATABASE_URL_DIRECT });
}

const rotate = (what: 'peppers' | 'session-keys', finishes = false) =>
  rotationSteps(store, what, finishes)[0]?.run();

const upload = async () => noteUploaded(store, await readSecrets(store), 'v1');

const sessionKeys = async () =>
  (JSON.parse((await readSecrets(store))['SESSION_KEYS'] ?? '') as { keys: { x: string }[] }).keys;

test('Session keys are rotated by adding the new one in front of the old one, which is removed in the last step', async () => {
  await complete();
  const [old] = await sessionKeys();
  await rotate('session-keys');
  const both = await sessionKeys();
  expect([both.length, both[1]]).toEqual([2, old]);
  expect(await rotate('session-keys')).toContain('finish the last rotation');
  await upload();
  await rotate('session-keys', true);
  expect(await sessionKeys()).toEqual([both[0]]);
});

test('A pepper is not dropped while a key still needs it', async () => {
  const { API_KEY_PEPPERS = '' } = await complete();
  const { database } = opened.store;
  await new Keys(database, API_KEY_PEPPERS).create({
    ...{ name: 'Backend', scopes: ['orders:read'], signs_in_administrators: false },
  });
  await rotate('peppers');
  await upload();
  await expect(rotate('peppers', true)).rejects.toThrow('made with the old pepper: Backend.');
  await database.query('update api_keys set revoked_at = now()');
  expect(await rotate('peppers', true)).toBe('the old one is dropped');
});

test.for([
  ['peppers', 'API_KEY_PEPPERS'],
  ['session-keys', 'SESSION_KEYS'],
] as const)(
  'A rotation of %s whose first half was interrupted before the upload is not finished',
  async ([what, secret]) => {
    await complete();
    await upload();
    await rotate(what);
    const both = await readSecrets(store);
    await expect(rotate(what, true)).rejects.toThrow(
      `the ${secret} with the new one were not uploaded yet. Run the first half again: npm run store -- rotate roti ${what}`,
    );
    expect(await readSecrets(store)).toEqual(both);
    await upload();
    expect(await rotate(what, true)).toBe('the old one is dropped');
  },
);

test("A pepper is not dropped by what another store's database says of the keys", async () => {
  await complete();
  await rotate('peppers');
  await upload();
  await markStore(opened.store.database, { address: 'https://other.example' });
  const both = await readSecrets(store);
  await expect(rotate('peppers', true)).rejects.toThrow('belongs to the store https://other');
  expect(await readSecrets(store)).toEqual(both);
  await opened.store.database.query('delete from store_mark');
});

test('The worker gets the changed secrets, never those of the operator, and loses removed ones', async () => {
  await complete();
  const secrets = { ...(await readSecrets(store)), BACKUP_KEY: 'b', OPERATOR_KEY: 'o', A: '1' };
  expect((await secretChanges(store, secrets)).changed.toSorted()).toEqual([
    ...['A', 'API_KEY_PEPPERS', 'DATABASE_URL', 'SESSION_KEYS'],
  ]);
  await noteUploaded(store, { ...secrets, B: '2' }, 'v1');
  expect((await stat(join(folder, 'roti.uploaded'))).mode & 0o077).toBe(0);
  expect(await readFile(join(folder, 'roti.uploaded'), 'utf8')).not.toContain(
    opened.store.databaseUrl,
  );
  expect(await secretChanges(store, { ...secrets, A: '3' })).toEqual({
    changed: ['A'],
    removed: ['B'],
  });
});

test('A deployment that ends before or after its upload leaves the names of its secrets, and their former hashes', async () => {
  const secrets = await complete();
  const added = { ...secrets, FONNTE_TOKEN: 'token' };
  expect(await noteUpload(store, added, 'first')).toMatchObject({
    migration: undefined,
    ready: '',
  });
  expect((await secretChanges(store, added)).changed).toContain('SESSION_KEYS');
  expect((await secretChanges(store, secrets)).removed).toEqual(['FONNTE_TOKEN']);
  await noteUploaded(store, secrets, 'v1');
  await noteReady(store, 'second');
  const next = await noteUpload(store, { ...added, SESSION_KEYS: 'new' }, 'third');
  expect(next).toMatchObject({ migration: 'v1', ready: 'second' });
  expect((await secretChanges(store, { ...secrets, SESSION_KEYS: 'new' })).changed).toEqual([
    'SESSION_KEYS',
  ]);
});

test('The first deployment after a note of 0.1.0 may be rolled back to the version before it', async () => {
  const secrets = await complete();
  await writeFile(join(folder, 'roti.uploaded'), JSON.stringify({ secrets: {}, migration: 'v1' }));
  expect((await noteUpload(store, secrets, 'first')).ready).toBe('first');
  expect((await noteUpload(store, secrets, 'second')).ready).toBe('first');
});

test('A store takes both strings of a database that is not at Neon, the direct one for migrations', async () => {
  const { url: databaseUrl, client } = await emptyDatabase();
  await client.end();
  const given = {
    database: `${databaseUrl}?application_name=pooled`,
    'database-direct': databaseUrl,
  };
  const open = (wanted: object) =>
    addingSteps(store, wanted)
      .find(({ name }) => name === 'database')
      ?.run();
  const before = await completeSecrets(store);
  await expect(open({ database: 'postgres://u:p@ep-a-pooler.example/b' })).rejects.toThrow(
    /through the pooler .* set --database-direct to/,
  );
  await expect(open({})).rejects.toThrow('Set NEON_API_KEY');
  const copy = { ...given, database: inject('postgresUrl') };
  await expect(open(copy)).rejects.toThrow('lead to two databases');
  expect(await readSecrets(store)).toEqual(before);
  expect(await open(given)).toBe('the one that was given');
  expect(await readSecrets(store)).toMatchObject({
    DATABASE_URL: given.database,
    DATABASE_URL_DIRECT: given['database-direct'],
  });
  expect(await open({})).toBe('as it was');
});

test('Secrets that cannot be read are never taken for those of a new store', async () => {
  const file = join(folder, 'roti.secrets');
  await mkdir(file);
  await expect(completeSecrets(store)).rejects.toThrow(`${file} could not be read: EISDIR`);
  await expect(addSecrets(store, { BACKUP_KEY: 'b' })).rejects.toThrow('could not be read');
  expect(await readdir(file)).toEqual([]);
});

test('A note of the last deployment that cannot be read, or was changed, is never taken for none', async () => {
  const secrets = await complete();
  const file = join(folder, 'roti.uploaded');
  await mkdir(file);
  await expect(noteUpload(store, secrets, 'first')).rejects.toThrow(`${file} could not be read`);
  await rm(file, { recursive: true });
  for (const text of ['', '{}']) {
    await writeFile(file, text);
    await expect(noteUpload(store, secrets, 'first')).rejects.toThrow(`${file} differs from what`);
    expect(await readFile(file, 'utf8')).toBe(text);
  }
});

test('A deployed store whose secrets are lost gets no new ones', async () => {
  const file = join(folder, 'roti.secrets');
  const secrets = await complete();
  await upload();
  await rm(file);
  const make = addingSteps(store, {}).find(({ name }) => name === 'secrets');
  await expect(make?.run()).rejects.toThrow(
    `roti was deployed with API_KEY_PEPPERS and SESSION_KEYS, and they are no longer in ${file}.`,
  );
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  await writeFile(file, JSON.stringify(secrets));
  expect(await make?.run()).toBe('as they were');
});

test('A store whose worker and commands would use two databases is not deployed', async () => {
  const { databaseUrl } = opened.store;
  await complete();
  await addSecrets(store, { DATABASE_URL: inject('postgresUrl') });
  await expect(checkStore(store)).rejects.toThrow(
    'DATABASE_URL and DATABASE_URL_DIRECT lead to two databases. Nothing was changed',
  );
  const unreachable = databaseUrl.replace(/:\d+\//, ':1/');
  for (const DATABASE_URL of [`${databaseUrl}?application_name=pooled`, unreachable]) {
    await addSecrets(store, { DATABASE_URL });
    await checkStore(store);
  }
});

test('A new store takes no strings of a role that cannot migrate, and a store that has them is not deployed', async () => {
  const database = await RoleDatabase.open();
  const [owner, second] = [await database.owner(), await database.role('second')] as const;
  const given = { database: database.urlOf(second) };
  const before = await completeSecrets(store);
  const open = addingSteps(store, given).find(({ name }) => name === 'database');
  await expect(open?.run()).rejects.toThrow(
    `The role ${second} of the database in --database-direct cannot migrate the store. Let a superuser run: grant create on schema public to ${second}; grant create on database ${database.name} to ${second}`,
  );
  expect(await readSecrets(store)).toEqual(before);
  await migrateDatabase(database.urlOf(owner));
  await database.client.query(`grant pg_read_all_data, pg_write_all_data to ${second};
    grant create on schema public to ${second}`);
  const DATABASE_URL = database.urlOf(second);
  await addSecrets(store, { DATABASE_URL, DATABASE_URL_DIRECT: DATABASE_URL });
  await expect(checkStore(store)).rejects.toThrow(
    `The role ${second} of the database in DATABASE_URL_DIRECT cannot migrate the store. Use ${owner}, the owner of its tables, or let a superuser run: grant ${owner} to ${second} with inherit true`,
  );
  await addSecrets(store, { DATABASE_URL_DIRECT: database.urlOf(owner) });
  await checkStore(store);
  await database.close();
});

long(
  'A new store takes no database of another store, and says how to replace the one that it took',
  async () => {
    const open = (database?: string) =>
      addingSteps(store, { database })
        .find(({ name }) => name === 'database')
        ?.run();
    const before = await completeSecrets(store);
    const { client, url } = await emptyDatabase();
    await client.query(
      `create table store_mark as select 'a' as store_id, 'https://other.example' as address,
         null as environment, '[]'::jsonb as pepper_checks, '[]'::jsonb as session_key_checks`,
    );
    await expect(open(url)).rejects.toThrow('belongs to the store https://other.example');
    await client.query('drop table store_mark; create table orders as select 1 as id');
    const place = `${new URL(url).host}${new URL(url).pathname}`;
    await expect(open(url)).rejects.toThrow(
      `The database ${place} is not empty (orders), and it has no mark of roti. Give an empty one. If it is`,
    );
    expect(await readSecrets(store)).toEqual(before);
    await client.query('drop table orders');
    await client.end();
    expect(await open(url)).toBe('the one that was given');
    expect(await open(url)).toBe('as it was');
    await expect(open(opened.store.databaseUrl)).rejects.toThrow(
      `The secrets of roti have other strings, of ${new URL(url).host}${new URL(url).pathname}. Go on with these, without --database; or,`,
    );
    expect((await readSecrets(store))['DATABASE_URL']).toBe(url);
  },
);

long(
  'A project at Neon is created once in its organisation, with the current version of PostgreSQL',
  async () => {
    const environment = { NEON_API_KEY: 'neon-key', NEON_API_BASE_URL: neon.url };
    const open = (more: object) =>
      new Neon({ ...environment, ...more }).openDatabase('sales-api-roti', 'aws-eu-central-1');
    expect((await open({ NEON_ORG_ID: 'org-one' })).isNew).toBe(true);
    expect((await open({ NEON_ORG_ID: 'org-one' })).isNew).toBe(false);
    expect((await open({ NEON_ORG_ID: 'org-two' })).isNew).toBe(true);
    const found = neon.projects.map(({ org_id, region_id, pg_version }) => [
      ...[org_id, region_id, pg_version],
    ]);
    expect(found).toEqual([
      ['org-one', 'aws-eu-central-1', 17],
      ['org-two', 'aws-eu-central-1', 17],
    ]);
  },
);

long(
  'npm run store -- adopt gives a database to the store on purpose, and no other command does',
  async () => {
    const secrets = await complete();
    await markStore(opened.store.database, { address: 'https://other.example' });
    await writeFile(
      join(folder, 'roti.toml'),
      Object.entries(store)
        .filter(([name]) => name !== 'name')
        .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
        .join('\n'),
    );
    const run = (...typed: string[]) =>
      commands.run({
        ...{ file: resolve(import.meta.dirname, '../../src/cli/store/index.ts'), typed },
        environment: { STORES_DIR: folder },
      });
    for (const words of [['deploy'], ['settings'], ['backup'], ['console', 'a@shop.example']]) {
      const [command = '', ...more] = words;
      const refused = await run(command, 'roti', ...more);
      expect([command, refused.code, refused.printed]).toEqual([
        ...[command, 2],
        expect.stringContaining('moves there: npm run store -- adopt NAME'),
      ]);
    }
    expect(await readSecrets(store)).toEqual(secrets);
    expect((await run('adopt', 'roti')).code).toBe(0);
    expect(await readMark(opened.store.database)).toMatchObject({
      ...{ address: store.address, environment: 'production' },
      pepper_checks: [expect.stringMatching(/^1:/)],
    });
    expect(secrets['API_KEY_PEPPERS']).toMatch(/^1:/);
  },
);
