import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { long } from '../harness/long.ts';
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

/** Waits until a session waits for a lock of this database. */
async function untilWaiting(observer: Client): Promise<void> {
  for (;;) {
    const { rows } = await observer.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
        where datname = current_database() and not granted`,
    );
    if (rows.length > 0) return;
  }
}

describe('Migrations', () => {
  test('are applied once, in their order', async () => {
    await run(first);
    await run(first, second);
    await run(first, second);
    expect(await applied()).toEqual(['1', '2']);
  });

  test('are applied even if a file is older than the newest applied one', async () => {
    const late = migration('3', 'create table late (id bigint)');
    await run(first, second);
    await run(first, late, second);
    expect(await applied()).toEqual(['1', '2', '3']);
  });

  test('keep no change of a file that fails', async () => {
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

  test('are refused if an applied file has changed', async () => {
    await run(first);
    const changed = migration('1', 'create table others (id bigint)');
    await expect(run(changed)).rejects.toThrow(
      /another text\. .* back the store up with that commit, and restore the backup with this version/,
    );
  });

  test('are refused if a statement would lock a table', async () => {
    await run(first);
    const locking = migration('2', 'create index i on notes (id)');
    await expect(run(first, locking)).rejects.toThrow(/CONCURRENTLY/);
    expect(await applied()).toEqual(['1']);
  });

  long(
    'wait for a lock for half a second at a time, and let others go first in between',
    async () => {
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
    },
  );

  test('rebuild an index whose build was interrupted', async () => {
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

  test('validate constraints that were added without a check of the rows', async () => {
    await run(first, migration('2', 'alter table notes add constraint c check (id > 0) not valid'));
    const { rows } = await client.query(
      `select convalidated from pg_constraint where conname = 'c'`,
    );
    expect(rows).toEqual([{ convalidated: true }]);
  });

  test('leave a database alone that already has other tables', async () => {
    await client.query('create table orders (id bigint)');
    await expect(run(first)).rejects.toThrow(/already has a table orders/);
  });

  test('are applied once by commands that run at the same time', async () => {
    await Promise.all([migrateDatabase(url), migrateDatabase(url), migrateDatabase(url)]);
    expect(await applied()).toEqual(ownMigrations.map(({ name }) => name));
  });

  long('give way to a transaction that holds one table and waits for another', async () => {
    const both = migration('2', 'create table others (id bigint)');
    const third = migration(
      '3',
      'alter table notes add column a text',
      'alter table others add column a text',
    );
    await run(first, both);
    await withDatabase(url, async (other) => {
      await other.query('begin; lock table others');
      const done = run(first, both, third);
      await untilWaiting(other);
      const { rows } = await other.query('select count(*) from notes');
      expect(rows).toEqual([{ count: '0' }]);
      await other.query('commit');
      await done;
    });
    expect(await applied()).toEqual(['1', '2', '3']);
  });

  test('that are all applied can be run again while a dump of the database holds its locks', async () => {
    await run(first);
    await withDatabase(url, async (other) => {
      await other.query('begin; lock table drizzle.__drizzle_migrations in access share mode');
      await run(first);
    });
  });

  test('leave constraints and indexes alone that they did not create', async () => {
    await run(first);
    await client.query(
      `create table legacy (id int); insert into legacy values (-1), (-1);
       alter table legacy add constraint positive check (id > 0) not valid`,
    );
    await expect(
      client.query('create unique index concurrently own on legacy (id)'),
    ).rejects.toThrow();
    const index = {
      ...migration('2', 'create index concurrently if not exists i on notes (id)'),
      isByStatement: true,
    };
    await run(first, index);
    const { rows } = await client.query(
      `select indisvalid, convalidated from pg_index, pg_constraint
        where indexrelid = 'own'::regclass and conname = 'positive'`,
    );
    expect(rows).toEqual([{ indisvalid: false, convalidated: false }]);
  });

  test('name the rows that violate a constraint', async () => {
    await run(first);
    await client.query('insert into notes values (-1)');
    const constraint = migration(
      '2',
      'alter table notes add constraint c check (id > 0) not valid',
    );
    await expect(run(first, constraint)).rejects.toThrow(/c of notes does not hold for every row/);
    await client.query('truncate notes');
    await run(first, constraint);
    expect(says.at(-1)).toBe('c of notes holds for every row.');
  });

  test('report a lost connection as such, and not as rows that violate a constraint', async () => {
    const unchecked = 'alter table notes add constraint c check (id > 0) not valid';
    const constraint = migration('2', unchecked);
    await run(first, constraint);
    await client.query(`alter table notes drop constraint c; ${unchecked}`);
    client.on('error', () => undefined);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await withDatabase(url, async (other) => {
      await other.query('begin; lock table notes in share update exclusive mode');
      const done = run(first, constraint);
      void done.catch(() => undefined);
      await untilWaiting(other);
      await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await expect(done).rejects.toThrow(/^terminating connection/);
    });
  });

  long('say which transactions an index build waits for', async () => {
    await run(first);
    const index = {
      ...migration('2', 'create index concurrently if not exists i on notes (id)'),
      isByStatement: true,
    };
    await withDatabase(url, async (other) => {
      await other.query('begin; insert into notes values (1)');
      const waiting = Promise.withResolvers<[string, boolean | undefined]>();
      const done = runMigrations(client, [first, index], (...said) =>
        waiting.resolve(said as [string, boolean | undefined]),
      );
      const [line, isWait] = await waiting.promise;
      expect([line, isWait]).toEqual([
        expect.stringContaining('2 builds an index, and waits until all transactions'),
        true,
      ]);
      await other.query('commit');
      await done;
    });
    expect(await applied()).toEqual(['1', '2']);
  });

  test('leave a database of other software unchanged', async () => {
    await client.query('create view products as select 1 as id');
    await expect(migrateDatabase(url)).rejects.toThrow(/already has a table products/);
    const { rows } = await client.query(
      `select proname as name from pg_proc where proname like 'svc_%'
        union select nspname from pg_namespace where nspname = 'drizzle'`,
    );
    expect(rows).toEqual([]);
  });

  long.each(['name text', 'other text'])(
    'are refused if another service keeps its migrations in the same table, with a column %s',
    async (column) => {
      await client.query(
        `create schema drizzle;
         create table drizzle.__drizzle_migrations
           (id serial primary key, hash text not null, created_at bigint, ${column});
         insert into drizzle.__drizzle_migrations values (1, 'x', 1, '20250101_init')`,
      );
      await expect(migrateDatabase(url)).rejects.toThrow(/another program/);
      const { rows } = await client.query('select * from drizzle.__drizzle_migrations');
      expect(Object.keys(rows[0] ?? {})).toHaveLength(4);
      expect(rows).toHaveLength(1);
    },
  );

  long.each([
    ['kept with the line endings of Windows', (one: Migration) => one.formerHashes?.[0]],
    ['kept with the text of its first day', (one: Migration) => one.formerHashes?.at(-1)],
  ])('continue if a file was %s', async (_, former) => {
    await migrateDatabase(url);
    for (const one of ownMigrations)
      await client.query('update drizzle.__drizzle_migrations set hash = $2 where name = $1', [
        one.name,
        former(one),
      ]);
    await migrateDatabase(url);
  });

  long('recognise a file by its text if it was applied under another number', async () => {
    await migrateDatabase(url);
    await client.query(
      `alter table drizzle.__drizzle_migrations drop column name;
       update drizzle.__drizzle_migrations set created_at = created_at + 1`,
    );
    await migrateDatabase(url);
    expect(await applied()).toEqual(ownMigrations.map(({ name }) => name));
  });

  test('are refused if both the database and the version have migrations that the other lacks', async () => {
    const other = migration('3', 'create table others (id bigint)');
    await run(first, other);
    await expect(run(first, second)).rejects.toThrow(
      /Bring both into one version first\. If a commit between two versions migrated/,
    );
    expect(await applied()).toEqual(['1', '3']);
  });
});

describe('A store is migrated', () => {
  const database = () => new URL(url).pathname.slice(1);

  test('unless its search path lacks its schema', async () => {
    await client.query(
      `create schema "My Shop"; alter database ${database()} set search_path = "My Shop"`,
    );
    await expect(migrateDatabase(url)).rejects.toThrow(/schema public/);
  });

  long.each([0, 3])(
    'in its own schema even if another comes first, with %s files applied',
    async (count) => {
      await runMigrations(client, ownMigrations.slice(0, count), () => undefined);
      await client.query(
        `create schema newer; alter database ${database()} set search_path = newer, public`,
      );
      await migrateDatabase(url);
      const { rows } = await client.query(
        `select relname as name from pg_class where relnamespace = 'newer'::regnamespace
        union select proname from pg_proc where pronamespace = 'newer'::regnamespace`,
      );
      expect(rows).toEqual([]);
    },
  );

  long('with all its functions even if another schema has a copy of them', async () => {
    await migrateDatabase(url);
    const { rows } = await client.query<{ name: string }>(
      `select proname as name from pg_proc where proname like 'svc_trip_%' limit 1`,
    );
    const name = rows[0]?.name ?? '';
    await client.query(`create schema copy; alter function ${name} set schema copy`);
    await migrateDatabase(url);
    const { rows: own } = await client.query(
      `select from pg_proc where proname = $1 and pronamespace = 'public'::regnamespace`,
      [name],
    );
    expect(own).toHaveLength(1);
  });

  long('beside functions of the same name in another schema of the search path', async () => {
    await client.query(
      `create schema other;
       create function other.svc_refuse(integer) returns void language sql as '';
       alter database ${database()} set search_path = other, public`,
    );
    await migrateDatabase(url);
  });

  long('whatever its database sets for queries', async () => {
    await client.query(
      `alter database ${database()} set idle_in_transaction_session_timeout = 1;
       alter database ${database()} set default_transaction_isolation = 'serializable';
       alter database ${database()} set default_transaction_read_only = on`,
    );
    await migrateDatabase(url);
  });
});

long(
  'A version that is older than the database leaves its schema and functions as they are',
  async () => {
    await migrateDatabase(url);
    await client.query(
      `insert into stored_functions (name) values ('svc_trip_later');
     insert into drizzle.__drizzle_migrations (hash, created_at, name) values ('later', 9e15, '9999_later');
     create or replace function svc_count_product() returns trigger
       language plpgsql as $$ begin return null; end $$;
     comment on function svc_count_product is 'later'`,
    );
    await migrateDatabase(url);
    const { rows } = await client.query(
      `select obj_description('svc_count_product'::regproc, 'pg_proc') as hash`,
    );
    expect(rows).toEqual([{ hash: 'later' }]);
    const { rows: superseded } = await client.query(
      'select name from stored_functions where superseded_at is not null',
    );
    expect(superseded).toEqual([]);
  },
);
