import { setTimeout as pause } from 'node:timers/promises';
import type { Client, DatabaseError } from 'pg';
import { inTransaction } from '../support/statements.ts';
import type { Migration } from './files.ts';
import { findLocks } from './locks.ts';

/** Prints a line of progress: a step that is done, or a wait. */
export type Progress = (says: string) => void;

/** Migrations that every store began with. Tables were empty then, so nothing in them holds up anybody. */
const baseline = ['0000_functions', '0001_schema', '0002_rollups'];

/** How long a statement waits for a lock: everybody else who wants the table waits behind it. */
const lockTimeout = '3s';
const lockTries = 20;
const lockPause = 1000;

interface AppliedMigration {
  readonly name: string;
  readonly hash: string;
}

/** The version of a database's schema, beside the migrations of this checkout. */
export interface SchemaState {
  readonly pending: readonly Migration[];
  /** The database was migrated by a later version. */
  readonly isLater: boolean;
}

/**
 * Applies the migrations that a database lacks, each once and in order.
 * @throws Error that says what to do: a file that was applied has changed, a statement would lock a table, or
 *   somebody holds a lock for too long
 */
export async function runMigrations(
  client: Client,
  migrations: readonly Migration[],
  progress: Progress,
): Promise<SchemaState> {
  const state = await readState(client, migrations);
  for (const migration of state.pending) {
    if (!baseline.includes(migration.name)) await refuseLocks(migration);
    await (migration.isByStatement
      ? applyByStatement(client, migration)
      : applyWhole(client, migration, progress));
    progress(`${migration.name} is applied.`);
  }
  if (!state.isLater) await validateConstraints(client, progress);
  return state;
}

/** Reads drizzle's table of applied migrations, after adding a column for their names. */
async function readState(client: Client, migrations: readonly Migration[]): Promise<SchemaState> {
  await client.query(`create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint);
    alter table drizzle.__drizzle_migrations add column if not exists name text`);
  await client.query(
    `update drizzle.__drizzle_migrations m set name = f.name
       from unnest($1::text[], $2::bigint[]) as f (name, at)
      where m.name is null and m.created_at = f.at`,
    [migrations.map(({ name }) => name), migrations.map(({ when }) => when)],
  );
  const { rows } = await client.query<AppliedMigration>(
    `select coalesce(name, '') as name, hash from drizzle.__drizzle_migrations order by id`,
  );
  if (rows.length === 0) await refuseForeign(client);
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of migrations) {
    const kept = applied.get(name);
    if (kept === undefined || kept === hash) continue;
    throw new Error(
      `${name} was applied to this database with another text. Migrations are never changed: restore drizzle/${name}.sql, and put the change into a new one.`,
    );
  }
  if (applied.has(''))
    throw new Error(
      'The database was made before migrations were kept, and none leads from it to this version. Export its lists with the version that made it.',
    );
  const known = new Set(migrations.map(({ name }) => name));
  return {
    pending: migrations.filter(({ name }) => !applied.has(name)),
    isLater: [...applied.keys()].some((name) => !known.has(name)),
  };
}

/** @throws Error where the database has tables that no migration made */
async function refuseForeign(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname in ('orders', 'settings', 'users') limit 1`,
  );
  if (rows[0])
    throw new Error(
      `The database already has a table ${rows[0].name} that this service did not make. Use an empty database.`,
    );
}

async function refuseLocks(migration: Migration): Promise<void> {
  const reasons = await findLocks(migration);
  if (reasons.length === 0) return;
  throw new Error(`${migration.name} is refused:\n${reasons.map((one) => `  ${one}`).join('\n')}`);
}

async function applyWhole(client: Client, migration: Migration, progress: Progress): Promise<void> {
  await withLockTries(client, migration.name, progress, async () => {
    await client.query(`set local lock_timeout = '${lockTimeout}'`);
    for (const statement of migration.statements) await client.query(statement);
    await note(client, migration);
  });
}

/** Builds indexes beside the writes that go on. One that was broken off is dropped and built again. */
async function applyByStatement(client: Client, migration: Migration): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace = current_schema()::regnamespace`,
  );
  for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`);
  for (const statement of migration.statements) await client.query(statement);
  await note(client, migration);
}

const note = (client: Client, { name, hash, when }: Migration) =>
  client.query(
    'insert into drizzle.__drizzle_migrations (hash, created_at, name) values ($1, $2, $3)',
    [hash, when, name],
  );

/** Checks the rows that constraints were added for, without holding up writes. */
async function validateConstraints(client: Client, progress: Progress): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
      where not convalidated and connamespace = current_schema()::regnamespace order by 1, 2`,
  );
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} validate constraint ${name}`);
    progress(`${name} of ${table} holds for every row.`);
  }
}

const isLockTimeout = (error: unknown) => (error as DatabaseError).code === '55P03';

/** Does work in a transaction, and again where a lock did not come in time. */
async function withLockTries(
  client: Client,
  name: string,
  progress: Progress,
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(client, work);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (tries === lockTries)
        throw new Error(
          `${name} could not lock what it changes: another session has held it all this time. Nothing of it was done; run the command again.`,
          { cause: error },
        );
      progress(`${name} waits for a lock.`);
      await pause(lockPause);
    }
  }
}
