import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { databaseRotationSteps, rotationSteps } from '../../src/cli/store/rotating.ts';
import { addSecrets, completeSecrets, readSecrets } from '../../src/cli/store/secrets.ts';
import { markStore } from '../../src/cli/support/store-mark.ts';
import { long } from '../harness/long.ts';
import { RoleDatabase } from '../harness/roles.ts';
import { useStore } from '../harness/store.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';
import { FakeNeon } from './vendors/neon.ts';

const opened = useStore();
const neon = new FakeNeon(inject('postgresUrl'));
const store = {
  ...{ name: 'roti', namespace: 2001, owner: 'a@shop.example', currency: 'IDR' },
  address: 'https://api.shop.example',
};
const branch = 'ep-later.aws.neon.example';
const pooled = 'postgresql://postgres:secret@ep-quiet-pooler.aws.neon.example/shop';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotating-'));
  vi.stubEnv('STORES_DIR', folder);
  vi.stubEnv('NEON_API_KEY', 'neon-key');
  await neon.open();
  vi.stubEnv('NEON_API_BASE_URL', neon.url);
});

beforeEach(async () => {
  await rm(join(folder, 'roti.secrets'), { force: true });
  neon.projects.splice(0);
  neon.projects.push({
    ...{ id: 'quiet-river-1', name: 'sales-api-roti', region_id: 'aws', org_id: 'org-own' },
    ...{ pg_version: 17, left: 0, database: 'shop_before', password: 'main' },
    branches: { [branch]: { database: 'shop', password: 'secret' } },
  });
  await completeSecrets(store);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await neon.close();
  await rm(folder, { recursive: true, force: true });
});

/** Gives the store the strings of a database at a host, and the project that is stored with them. */
const use = (host: string, NEON_PROJECT_ID: string) =>
  addSecrets(store, {
    ...{ DATABASE_URL: pooled, NEON_PROJECT_ID },
    DATABASE_URL_DIRECT: `postgresql://postgres:secret@${host}/shop`,
  });

const rotateAtNeon = async (of: typeof store) => {
  for (const name of ['reach', 'password'])
    await databaseRotationSteps(of, {})
      .find((step) => step.name === name)
      ?.run();
};

const passwords = () => [neon.projects[0]?.password, neon.projects[0]?.branches[branch]?.password];

long(
  'The password is changed in the branch that the store uses, whatever the default one is',
  async () => {
    for (const project of ['quiet-river-1', '']) {
      await use(branch, project);
      await rotateAtNeon(store);
      const [main, password] = passwords();
      expect(main).toBe('main');
      expect(password).not.toBe('secret');
      expect(await readSecrets(store)).toMatchObject({
        DATABASE_URL_DIRECT: `postgresql://postgres:${password}@${branch}/shop`,
        DATABASE_URL: pooled.replace('secret', password ?? ''),
        NEON_PROJECT_ID: 'quiet-river-1',
      });
    }
  },
);

test('A database that Neon does not have gets no new password, and the strings of the store stay', async () => {
  for (const project of ['quiet-river-1', '']) {
    const before = await use('db.elsewhere.example', project);
    await expect(rotateAtNeon(store)).rejects.toThrow(
      /Nothing was changed: the project quiet-river-1 at Neon does not have .* db\.elsewhere\.example/,
    );
    expect([passwords(), await readSecrets(store)]).toEqual([['main', 'secret'], before]);
  }
  neon.projects.splice(0);
  await expect(rotateAtNeon(store)).rejects.toThrow('Set NEON_PROJECT_ID in the secrets');
});

test('A worker whose database is another one than DATABASE_URL_DIRECT gets no other strings', async () => {
  await use(branch, 'quiet-river-1');
  await addSecrets(store, { DATABASE_URL: pooled.replace('/shop', '/other') });
  await expect(rotateAtNeon(store)).rejects.toThrow('or DATABASE_URL leads elsewhere');
  expect(passwords()).toEqual(['main', 'secret']);
});

test('Secrets that a command prints are not rotated, and the refusal says what to do instead', async () => {
  const secrets = await use(branch, 'quiet-river-1');
  const file = join(folder, 'printed.json');
  await writeFile(file, JSON.stringify(secrets));
  const printed = { ...store, secrets_command: `cat ${file}` };
  await expect(rotateAtNeon(printed)).rejects.toThrow(
    /^Nothing was changed: .* secrets_command\. Make a new password for the role/,
  );
  for (const what of ['peppers', 'session-keys'] as const)
    await expect(rotationSteps(printed, what, false)[0]?.run()).rejects.toThrow(
      /^Nothing was changed: .* Put a new .* before the old one there, then run: npm run store -- deploy roti/,
    );
  expect(passwords()).toEqual(['main', 'secret']);
  await expect(addSecrets(printed, { ...secrets, DATABASE_URL: 'b', A: '1' })).rejects.toThrow(
    'come from its secrets_command: set DATABASE_URL, A there, then run this command again.',
  );
});

const take = (database: string, direct?: string) =>
  databaseRotationSteps(store, { database, 'database-direct': direct })[0]?.run();

test('New strings are taken for the same database alone, not for a copy of it', async () => {
  const { databaseUrl } = opened.store;
  await addSecrets(store, { DATABASE_URL: databaseUrl, DATABASE_URL_DIRECT: databaseUrl });
  const nowhere = 'postgres://a:b@127.0.0.1:1/shop';
  const other = await emptyDatabase();
  const id = await markStore(opened.store.database, {});
  await other.client.query(
    `create table store_mark as select '${id}' as store_id, null as address, null as environment,
       '[]'::jsonb as pepper_checks, '[]'::jsonb as session_key_checks`,
  );
  const before = await readSecrets(store);
  await expect(take(other.url)).rejects.toThrow('lead to another database');
  await expect(take(other.url, databaseUrl)).rejects.toThrow('lead to two databases');
  await expect(take(nowhere, databaseUrl)).rejects.toThrow('database in --database could not be');
  expect(await readSecrets(store)).toEqual(before);
  await other.client.end();
  const renamed = new URL(databaseUrl);
  renamed.searchParams.set('application_name', 'second');
  await take(renamed.href, databaseUrl);
  expect(await readSecrets(store)).toMatchObject({
    DATABASE_URL: renamed.href,
    DATABASE_URL_DIRECT: databaseUrl,
  });
  await take(renamed.href);
  expect((await readSecrets(store))['DATABASE_URL_DIRECT']).toBe(renamed.href);
});

test('New strings are refused for a role that cannot migrate, or cannot write every later table', async () => {
  const database = await RoleDatabase.open();
  const owner = await database.owner();
  const [second, third] = [await database.role('second'), await database.role('third')] as const;
  const first = database.urlOf(owner);
  const [other, limited] = [database.urlOf(second), database.urlOf(third)] as const;
  await migrateDatabase(first);
  await database.client.query(`grant pg_read_all_data, pg_write_all_data to ${second};
    grant all on schema public to ${second}, ${third};
    grant all on all tables in schema public to ${third}`);
  await addSecrets(store, { DATABASE_URL: first, DATABASE_URL_DIRECT: first });
  const before = await readSecrets(store);
  await expect(take(other)).rejects.toThrow(
    `The role ${second} of the database in --database-direct cannot migrate the store. Use ${owner}, the owner of its tables, or let a superuser run: grant ${owner} to ${second} with inherit true`,
  );
  await expect(take(limited, first)).rejects.toThrow(
    `The role ${third} of the database in --database cannot read and write all tables of the store. Use ${owner}, the owner of its tables, or let a superuser run: grant pg_read_all_data, pg_write_all_data to ${third} with inherit true`,
  );
  expect(await readSecrets(store)).toEqual(before);
  await take(other, first);
  expect(await readSecrets(store)).toMatchObject({
    DATABASE_URL: other,
    DATABASE_URL_DIRECT: first,
  });
  await database.client.query(`grant ${owner} to ${second}, ${third} with inherit true`);
  await take(limited, other);
  await database.close();
});
