import { existsSync } from 'node:fs';
import { mkdtemp, mkdtempDisposable, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test, vi } from 'vitest';
import { importStore } from '../../src/cli/archive/import.ts';
import { writeArchive } from '../../src/cli/archive/write.ts';
import { restoreSteps } from '../../src/cli/store/restoring.ts';
import { newSealKey } from '../../src/cli/archive/seal.ts';
import { addSecrets, completeSecrets, readSecrets } from '../../src/cli/store/secrets.ts';
import { changeManifest } from '../archive/archives.ts';
import { long } from '../harness/long.ts';
import { useStore } from '../harness/store.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';

const opened = useStore();
const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.shop.example',
};

long(
  'A restored backup is not imported over the store, and a repeated restore leaves out ids once',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
    const folder = join(parent, 'backup');
    const { url, client } = await emptyDatabase();
    vi.stubEnv('STORES_DIR', parent);
    vi.stubEnv('DATABASE_URL', url);
    const run = (name: string) =>
      restoreSteps(store, folder, { database: url })
        .find((step) => step.name === name)
        ?.run();
    const lastUser = async () =>
      (await client.query('select last_value from users_id_seq')).rows[0].last_value as string;
    try {
      await writeArchive(opened.store.database, folder, () => undefined);
      await run('database');
      await run('read');
      const last = await lastUser();
      await expect(importStore(folder, true)).rejects.toThrow('is not empty');
      expect(await run('read')).toBe('was read before');
      expect(await lastUser()).toBe(last);
    } finally {
      vi.unstubAllEnvs();
      await client.end();
      await rm(parent, { recursive: true });
    }
  },
);

test('A restore goes on only with the backup that it began with', async () => {
  await using parent = await mkdtempDisposable(join(tmpdir(), 'restoring-'));
  vi.stubEnv('STORES_DIR', parent.path);
  const { url, client } = await emptyDatabase();
  const folder = join(parent.path, 'backup');
  const run = (name: string) =>
    restoreSteps(store, folder, { database: url, of: store.address })
      .find((step) => step.name === name)
      ?.run();
  try {
    await completeSecrets(store);
    await writeArchive(opened.store.database, folder, () => undefined);
    await run('backup');
    await run('database');
    await run('backup');
    await changeManifest(folder, (manifest) =>
      Object.assign(manifest, { store: 'https://b.example' }),
    );
    for (const name of ['backup', 'read', 'secrets'])
      await expect(run(name)).rejects.toThrow('was changed since its restore began');
  } finally {
    vi.unstubAllEnvs();
    await client.end();
  }
});

test('A restore stops waiting work right before the upload, and no longer once the worker is live', async () => {
  await using parent = await mkdtempDisposable(join(tmpdir(), 'restoring-'));
  vi.stubEnv('STORES_DIR', parent.path);
  const { databaseUrl, database } = opened.store;
  const folder = join(parent.path, 'backup');
  const steps = restoreSteps(store, folder, {});
  const names = steps.map(({ name }) => name);
  expect(names[names.indexOf('worker') - 1]).toBe('waiting');
  const run = (name: string) => steps.find((step) => step.name === name)?.run();
  try {
    await completeSecrets(store);
    await writeArchive(database, folder, () => undefined);
    const restoring = {
      ...{ folder, since: new Date(0).toISOString(), isRead: true },
      database: { pooled: databaseUrl, direct: databaseUrl },
    };
    await writeFile(join(parent.path, 'roti.restoring'), JSON.stringify(restoring));
    for (const _ of ['first', 'repeated']) expect(await run('waiting')).toContain('are stopped');
    await run('previous');
    expect(await run('waiting')).toBe('was done before');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('A restore that goes on after a rotation keeps the strings, and lists no live database as an old one', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
  vi.stubEnv('STORES_DIR', parent);
  const { databaseUrl } = opened.store;
  const change = restoreSteps(store, parent, {}).find(({ name }) => name === 'secrets');
  const use = (url: string) =>
    addSecrets(store, { DATABASE_URL: url, DATABASE_URL_DIRECT: url, NEON_PROJECT_ID: '' });
  try {
    await completeSecrets(store);
    const database = { pooled: databaseUrl, direct: databaseUrl };
    const restoring = { folder: parent, since: new Date(0).toISOString(), database, isRead: true };
    await writeFile(join(parent, 'roti.restoring'), JSON.stringify(restoring));
    const rotated = new URL(databaseUrl);
    rotated.searchParams.set('application_name', 'second');
    const secrets = await use(rotated.href);
    expect(await change?.run()).toBe('as they were');
    expect(await readSecrets(store)).toEqual(secrets);
    const down = new URL(databaseUrl);
    down.pathname = '/none';
    await use(down.href);
    expect(await change?.run()).toContain('the previous one is kept');
    const { OLD_DATABASES = '', DATABASE_URL } = await readSecrets(store);
    expect([DATABASE_URL, JSON.parse(OLD_DATABASES)]).toEqual([
      databaseUrl,
      [expect.objectContaining({ direct: down.href })],
    ]);
  } finally {
    vi.unstubAllEnvs();
    await rm(parent, { recursive: true });
  }
});

test('A restore goes on only once both strings lead to the new database', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
  vi.stubEnv('STORES_DIR', parent);
  const { databaseUrl } = opened.store;
  const down = new URL(databaseUrl);
  down.pathname = '/none';
  const change = (one: object) =>
    restoreSteps({ ...store, ...one }, parent, {})
      .find(({ name }) => name === 'secrets')
      ?.run();
  try {
    const database = { pooled: databaseUrl, direct: databaseUrl };
    const restoring = { folder: parent, since: new Date(0).toISOString(), database, isRead: true };
    await writeFile(join(parent, 'roti.restoring'), JSON.stringify(restoring));
    await addSecrets(store, { DATABASE_URL: down.href, DATABASE_URL_DIRECT: databaseUrl });
    const byCommand = { secrets_command: `cat ${join(parent, 'roti.secrets')}` };
    await expect(change(byCommand)).rejects.toThrow(
      `set DATABASE_URL there, then run this command again. The values are in`,
    );
    expect(await change({})).toBe('the new database in DATABASE_URL, too');
    expect(await readSecrets(store)).toEqual({
      DATABASE_URL: databaseUrl,
      DATABASE_URL_DIRECT: databaseUrl,
    });
    expect(await change(byCommand)).toBe('as they were');
  } finally {
    vi.unstubAllEnvs();
    await rm(parent, { recursive: true });
  }
});

test('A restore notes the values of all secrets that a person has to set, and asks until they are set', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
  vi.stubEnv('STORES_DIR', parent);
  const [file, noted] = [join(parent, 'roti.secrets'), join(parent, 'roti.restoring')];
  const byCommand = { ...store, secrets_command: `cat ${file}` };
  const { databaseUrl } = opened.store;
  const down = databaseUrl.replace(/[^/]+$/, 'none');
  const set = (secrets: object) => writeFile(file, JSON.stringify(secrets));
  // Another spelling of the folder.
  const change = () =>
    restoreSteps(byCommand, `${relative(process.cwd(), parent)}/`, {})
      .find(({ name }) => name === 'secrets')
      ?.run();
  try {
    const database = { pooled: databaseUrl, direct: databaseUrl };
    const restoring = { folder: parent, since: new Date(0).toISOString(), database, isRead: true };
    await writeFile(noted, JSON.stringify(restoring));
    const before = { DATABASE_URL: down, DATABASE_URL_DIRECT: down };
    await set({ ...before, OLD_DATABASES: '[' });
    await expect(change()).rejects.toThrow('OLD_DATABASES among the secrets of roti is not');
    await set(before);
    await expect(change()).rejects.toThrow(
      `set DATABASE_URL, DATABASE_URL_DIRECT, OLD_DATABASES there, then run this command again. The values are in ${noted}, under "secrets".`,
    );
    const { secrets } = JSON.parse(await readFile(noted, 'utf8'));
    expect((await stat(noted)).mode & 0o077).toBe(0);
    expect(JSON.parse(secrets.OLD_DATABASES)).toEqual([expect.objectContaining({ direct: down })]);
    await set({ ...secrets, OLD_DATABASES: '' });
    await expect(change()).rejects.toThrow('set OLD_DATABASES there, then run this command again');
    await set(secrets);
    expect(await change()).toBe('as they were');
  } finally {
    vi.unstubAllEnvs();
    await rm(parent, { recursive: true });
  }
});

test('A backup of a later version is refused before a database is made for it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
  const folder = join(parent, 'backup');
  vi.stubEnv('STORES_DIR', parent);
  try {
    await writeArchive(opened.store.database, folder, () => undefined);
    await changeManifest(folder, (manifest) => Object.assign(manifest, { schema: 'f'.repeat(64) }));
    await expect(restoreSteps(store, folder, {})[0]?.run()).rejects.toThrow(
      'The archive was written by a later version than this one',
    );
  } finally {
    vi.unstubAllEnvs();
    await rm(parent, { recursive: true });
  }
});

long(
  'A restore takes no database with other data, and no second one until its file is deleted',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
    const [folder, noted] = [join(parent, 'backup'), join(parent, 'roti.restoring')];
    vi.stubEnv('STORES_DIR', parent);
    const [filled, empty] = [await emptyDatabase(), await emptyDatabase()];
    const run = (name: string, database?: string, direct?: string) =>
      restoreSteps(store, folder, { database, 'database-direct': direct })
        .find((step) => step.name === name)
        ?.run();
    try {
      await writeArchive(opened.store.database, folder, () => undefined);
      await filled.client.query('create table users as select 1 as id');
      await expect(run('database', filled.url)).rejects.toThrow(
        'The database in --database is not empty (users). Give an empty one.',
      );
      await expect(run('database', filled.url, empty.url)).rejects.toThrow('two databases');
      expect(existsSync(noted)).toBe(false);
      expect(await run('database', empty.url)).toBe('the one that was given');
      expect(await run('database', empty.url)).toBe('as it was');
      expect(await run('database')).toBe('as it was');
      const { host, pathname } = new URL(empty.url);
      await expect(run('database', filled.url)).rejects.toThrow(
        `The restore began with another database: ${host}${pathname}. Go on with it, without --database; or delete ${noted} to`,
      );
      await empty.client.query('create table users as select 1 as id');
      await expect(run('read')).rejects.toThrow(`The database in ${noted} is not empty (users).`);
      const migrated = "select to_regclass('drizzle.__drizzle_migrations') as name";
      for (const { client } of [filled, empty])
        expect((await client.query(migrated)).rows).toEqual([{ name: null }]);
    } finally {
      vi.unstubAllEnvs();
      for (const { client } of [filled, empty]) await client.end();
      await rm(parent, { recursive: true });
    }
  },
);

long('A restore ends sessions once more when the worker of the new database answers', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
  const folder = join(parent, 'backup');
  vi.stubEnv('STORES_DIR', parent);
  const { url, client } = await emptyDatabase();
  const steps = restoreSteps({ ...store, pictures: true }, folder, { database: url });
  const run = (name: string) => steps.find((step) => step.name === name)?.run();
  const validAfter = async () =>
    (await client.query<{ at: Date }>('select max(sessions_valid_after) as at from users')).rows[0]
      ?.at ?? new Date(0);
  try {
    await opened.store.database.query(
      "insert into users (display_name, created_at, updated_at) values ('', now(), now())",
    );
    await writeArchive(opened.store.database, folder, () => undefined);
    await run('database');
    await run('read');
    const first = await validAfter();
    expect(first.getTime()).toBeGreaterThan(0);
    await run('sessions');
    expect((await validAfter()).getTime()).toBeGreaterThan(first.getTime());
    const names = steps.map(({ name }) => name);
    const last = names.indexOf('fill');
    expect(names.slice(last, last + 3)).toEqual(['fill', 'previous', 'sessions']);
  } finally {
    vi.unstubAllEnvs();
    await client.end();
    await rm(parent, { recursive: true });
  }
});

test("A restore refuses another store's backup, and one that does not say whose it is, unless --of names its store", async () => {
  const parent = await mkdtemp(join(tmpdir(), 'restoring-'));
  vi.stubEnv('STORES_DIR', parent);
  const { database } = opened.store;
  const key = newSealKey();
  const backUp = async (name: string, address: string | null, sealedWith?: string) => {
    await database.query('delete from store_mark');
    await database.query("insert into store_mark (store_id, address) values ('s', $1)", [address]);
    await writeArchive(database, join(parent, name), () => undefined, sealedWith);
  };
  const check = (name: string, of?: string) =>
    restoreSteps(store, join(parent, name), { of })[0]?.run();
  try {
    await addSecrets(store, { BACKUP_KEY: key });
    await backUp('own', store.address, key);
    await backUp('plain', store.address);
    await backUp('other', 'https://api.kue.example');
    await backUp('nameless', null);
    await backUp('sealed', null, key);
    expect(await check('own')).toMatch(/rows of/);
    await expect(check('plain')).rejects.toThrow(
      'The backup is not encrypted, and those of the store are. If you exported it yourself, add --of https://api.shop.example.',
    );
    expect(await check('plain', store.address)).toMatch(/rows of/);
    await expect(check('other')).rejects.toThrow(
      'The backup is of the store https://api.kue.example, not of https://api.shop.example. If roti had this address before, or is to have the data of that store, add --of https://api.kue.example',
    );
    expect(await check('other', 'https://api.kue.example/')).toMatch(/rows of/);
    await expect(check('own', 'https://api.kue.example')).rejects.toThrow(
      'The backup is of the store https://api.shop.example, not of https://api.kue.example.',
    );
    await expect(check('nameless')).rejects.toThrow(
      'The backup does not say which store it is of. If it is of roti, add --of https://api.shop.example;',
    );
    expect(await check('nameless', store.address)).toMatch(/rows of/);
    expect(await check('sealed')).toMatch(/rows of/);
  } finally {
    vi.unstubAllEnvs();
    await database.query('delete from store_mark');
    await rm(parent, { recursive: true });
  }
});
