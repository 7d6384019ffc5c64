import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Migration } from '../../src/cli/migrations/files.ts';
import { runMigrations } from '../../src/cli/migrations/run.ts';
import { migrateDatabase, migrations as ownMigrations } from '../../src/cli/migrations/migrate.ts';
import { withDatabase } from '../../src/cli/support/database.ts';
import { emptyDatabase } from '../upgrade/old-store.ts';

let client: Client;
let url: string;
let says: string[];

beforeEach(async () => {
  ({ client, url } = await emptyDatabase());
  says = [];
});

afterEach(() => client.end());

const migration = (name: string, ...statements: string[]): Migration => ({
  name,
  when: Number(name),
  hash: createHash('sha256').update(statements.join()).digest('hex'),
  statements,
  isByStatement: false,
});

const first = migration('1', 'create table notes (id bigint)');
const second = migration('2', 'alter table notes add column body text');

const run = (...migrations: Migration[]) =>
  runMigrations(client, migrations, (line) => says.push(line));

const applied = async () =>
  (
    await client.query<{ name: string }>(
      'select name from drizzle.__drizzle_migrations order by id',
    )
  ).rows.map(({ name }) => name);

describe('Migrations', () => {
  test('are applied once, in their order', async () => {
    await run(first);
    await run(first, second);
    await run(first, second);
    expect(await applied()).toEqual(['1', '2']);
  });

  test('are applied also where a file is older than the newest that was', async () => {
    const late = migration('3', 'create table late (id bigint)');
    await run(first, second);
    await run(first, late, second);
    expect(await applied()).toEqual(['1', '2', '3']);
  });

  test('leave nothing of a file that fails', async () => {
    const broken = migration(
      '2',
      'alter table notes add column body text',
      'alter table nowhere add column b text',
    );
    await run(first);
    await expect(run(first, broken)).rejects.toThrow(/nowhere/);
    await client.query('alter table notes add column body text');
    expect(await applied()).toEqual(['1']);
  });

  test('are refused where an applied file has changed', async () => {
    await run(first);
    const changed = migration('1', 'create table others (id bigint)');
    await expect(run(changed)).rejects.toThrow(/another text/);
  });

  test('are refused where a statement would lock a table', async () => {
    await run(first);
    const locking = migration('2', 'create index i on notes (id)');
    await expect(run(first, locking)).rejects.toThrow(/CONCURRENTLY/);
    expect(await applied()).toEqual(['1']);
  });

  test('wait for a lock for three seconds at a time, and let others go first in between', async () => {
    await run(first);
    await withDatabase(url, async (other) => {
      await other.query('begin; lock table notes');
      const waiting = Promise.withResolvers<void>();
      const done = runMigrations(client, [first, second], () => waiting.resolve());
      await waiting.promise;
      await other.query('commit');
      await done;
    });
    expect(await applied()).toEqual(['1', '2']);
  });

  test('build an index again that was broken off', async () => {
    await run(first);
    await client.query('insert into notes values (1), (1)');
    const index = {
      ...migration('2', 'create unique index concurrently if not exists i on notes (id)'),
      isByStatement: true,
    };
    await expect(run(first, index)).rejects.toThrow(/could not create unique index/);
    await client.query('truncate notes');
    await run(first, index);
    const { rows } = await client.query(
      `select indisvalid from pg_index where indexrelid = 'i'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('validate the constraints that were added without a look at the rows', async () => {
    await run(first, migration('2', 'alter table notes add constraint c check (id > 0) not valid'));
    const { rows } = await client.query(
      `select convalidated from pg_constraint where conname = 'c'`,
    );
    expect(rows).toEqual([{ convalidated: true }]);
  });

  test('leave a database alone that has tables of something else', async () => {
    await client.query('create table orders (id bigint)');
    await expect(run(first)).rejects.toThrow(/already has a table orders/);
  });

  test('are applied once by commands that run at the same time', async () => {
    await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
    expect(await applied()).toEqual(ownMigrations.map(({ name }) => name));
  });
});

test('A version that is older than the database leaves its schema and functions as they are', async () => {
  await migrateDatabase(url);
  await client.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at, name) values ('later', 9e15, '9999_later');
     create or replace function svc_count_product() returns trigger
       language plpgsql as $$ begin return null; end $$;
     comment on function svc_count_product is 'later'`,
  );
  await migrateDatabase(url);
  const { rows } = await client.query(
    `select obj_description('svc_count_product'::regproc, 'pg_proc') as hash`,
  );
  expect(rows).toEqual([{ hash: 'later' }]);
});
