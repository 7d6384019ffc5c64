import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { storedFunctions } from '../../kernel/database/writing.ts';
import '../../endpoints.ts';
import '../../jobs/index.ts';
import { readMigrations } from './files.ts';
import type { Progress } from './patience.ts';
import { actAsOwner, explainingRights } from './rights.ts';
import { runMigrations } from './run.ts';
import { readSqlFunctions, renewSqlFunctions } from './sql-functions.ts';
import { runBackfills } from './backfills.ts';
import { directDatabase, withDatabase } from '../support/database.ts';
import { Refused } from '../support/refusals.ts';
import { withSessionLock } from '../support/session-lock.ts';
import { nameFunctions, storeFunctions } from './stored-functions.ts';

const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

export const migrations = readMigrations(folder('drizzle'));

export const sqlFunctions = readSqlFunctions(folder('src/schema/sql'));

/** The oldest supported PostgreSQL, as in `server_version_num`. */
const oldestServer = 16_00_00;

/**
 * Brings a database up to date: migrations, functions, new columns. A database of a later version keeps its schema, and
 * gets the functions that this version's worker calls.
 * @param url of a direct connection
 */
export async function migrateDatabase(
  url: string,
  progress: Progress = () => undefined,
): Promise<void> {
  await withSession(url, (client) =>
    withMigrationLock(client, progress, async () => {
      const { isLater } = await runMigrations(client, migrations, progress);
      const own = sqlFunctions.filter(({ isCalled }) => isCalled || !isLater);
      await renewSqlFunctions(client, own);
      await storeFunctions(client, await storedFunctions(), { isLater });
      if (!isLater) await runBackfills(client, undefined, progress);
    }),
  );
}

const placeOf = (hash: string): number =>
  migrations.findIndex((one) => one.hash === hash || one.formerHashes?.includes(hash) === true);

/** Tells if this version has the migration. */
export const isKnownMigration = (hash: string): boolean => placeOf(hash) >= 0;

/** Tells if two stored hashes are of one migration, whose text may have changed. */
export const areOneMigration = (one: string, other: string): boolean =>
  one === other || (isKnownMigration(one) && placeOf(one) === placeOf(other));

/** @throws Refused if this version does not know an archive's newest migration */
export function refuseLater(hash: string): void {
  if (!isKnownMigration(hash))
    throw new Refused(
      'The archive was written by a later version than this one: read it with that, or with a newer one.',
    );
}

/**
 * Migrates an empty database to an archive's migration, and no further. Stored functions are made after the last
 * migration.
 * @param hash of the archive's newest migration
 * @throws Refused if this version does not know it
 */
export async function migrateTo(url: string, hash: string): Promise<void> {
  refuseLater(hash);
  const last = placeOf(hash);
  const nobody = () => undefined;
  await withSession(url, (client) =>
    withMigrationLock(client, nobody, () =>
      runMigrations(client, migrations.slice(0, last + 1), nobody),
    ),
  );
}

/**
 * Marks a database as that of an existing store for the next migrations: 0005 takes the currency from a store without
 * stored functions, and archives have none.
 */
export async function markExisting(client: Client): Promise<void> {
  const names = (await storedFunctions()).map(({ name }) => name);
  await nameFunctions(client, names);
}

/**
 * Migrates a database, uploads its worker, and fills new columns once more: the previous worker wrote rows until the
 * upload.
 * @param upload returns its exit code
 * @returns the exit code
 */
export async function migrateAround(
  url: string,
  upload: () => Promise<number>,
  progress: Progress,
): Promise<number> {
  await migrateDatabase(url, progress);
  progress('The database is up to date.');
  const code = await upload();
  if (code !== 0) return code;
  try {
    await migrateDatabase(url, progress);
    return 0;
  } catch (error) {
    progress(
      `The worker is deployed. New columns are not filled in everywhere yet: run \`npm run migrate\`. ${(error as Error).message}`,
    );
    return 1;
  }
}

/** @throws Refused for a server, a search path or a role with which the store cannot be migrated */
const withSession = (url: string, work: (client: Client) => Promise<void>): Promise<void> =>
  withDatabase(directDatabase(url), async (client) => {
    await refuseOldServer(client);
    await prepareSession(client);
    await explainingRights(client, async () => {
      await actAsOwner(client);
      await work(client);
    });
  });

/**
 * Resets settings of the role or database, such as a short statement timeout, and puts the schema `public` first in the
 * search path.
 */
async function prepareSession(client: Client): Promise<void> {
  const { rows } = await client.query("select where 'public' = any (current_schemas(false))");
  if (rows.length === 0)
    throw new Refused(
      'The tables of the store are in the schema public, but the search_path of this role and database lacks it.',
    );
  await client.query(`set client_min_messages = warning;
    set default_transaction_isolation = 'read committed';
    set default_transaction_read_only = off;
    select set_config('search_path', 'public, ' || current_setting('search_path'), false);
    select set_config(name, '0', false) from pg_settings
      where name ~ '^(statement|lock|transaction|idle_session|idle_in_transaction_session)_timeout$'`);
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number,
            current_setting('server_version') as version`,
  );
  const [server] = rows;
  if (server && server.number < oldestServer)
    throw new Refused(`The database is PostgreSQL ${server.version}; it has to be 16 or newer.`);
}

/** Lets one migration run at a time. */
const withMigrationLock = (client: Client, progress: Progress, work: () => Promise<unknown>) =>
  withSessionLock(
    client,
    'migrations',
    () => progress('Another migration of this database runs. Waiting for its end.', true),
    work,
  );
