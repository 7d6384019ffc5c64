import { randomInt } from 'node:crypto';
import { checkMigratingRole, checkWorkingRole } from '../migrations/rights.ts';
import { directDatabase, withDatabase } from '../support/database.ts';
import { Refused, UsageError } from '../support/command.ts';
import type { NamedStore } from './definition.ts';
import { type ConnectionStrings, Neon } from './neon.ts';
import type { StoreSecrets } from './secrets.ts';

export interface GivenDatabase {
  readonly database?: string | undefined;
  readonly 'database-direct'?: string | undefined;
}

interface FoundDatabase extends ConnectionStrings {
  readonly project: string | undefined;
  readonly says: string;
}

/**
 * @returns the given connection strings, if there are any
 * @throws UsageError for a malformed one, and if only the direct one is given
 */
export function givenStrings(given: GivenDatabase): ConnectionStrings | undefined {
  const { database: pooled, 'database-direct': direct = pooled } = given;
  for (const option of ['database', 'database-direct'] as const)
    if (given[option] && !URL.canParse(given[option]))
      throw new UsageError(
        `--${option} is not a connection string like postgresql://user:password@host/database.`,
      );
  if (pooled && direct) return { pooled, direct: directDatabase(direct, '--database-direct') };
  if (direct) throw new UsageError('--database-direct goes with --database.');
  return undefined;
}

/**
 * Returns the given strings, or those of the project with this name at Neon, which is created if it is missing.
 * @throws Refused without strings and without access to Neon, or for strings that `checkGivenStrings` refuses
 */
export async function openNewDatabase(
  name: string,
  store: NamedStore,
  given: GivenDatabase,
): Promise<FoundDatabase> {
  const strings = givenStrings(given);
  if (strings) {
    await checkGivenStrings(strings);
    return { ...strings, project: undefined, says: 'the one that was given' };
  }
  const { project, isNew, pooled, direct } = await neonOf().openDatabase(name, store.region);
  const hours = Math.floor((project.history_retention_seconds ?? 0) / 3600);
  const says = `${isNew ? 'made' : 'found'} ${project.id}, PostgreSQL ${project.pg_version}, history of ${hours} h`;
  return { pooled, direct, project: project.id, says };
}

/**
 * Checks the strings that a person gives, before they are stored.
 * @throws Refused if they lead to two databases, or their roles have too few rights; or Unreachable
 */
export async function checkGivenStrings(strings: ConnectionStrings): Promise<void> {
  await refuseTwoDatabases(strings);
  const [direct, pooled] = ['database in --database-direct', 'database in --database'] as const;
  const owners = await withDatabase(
    strings.direct,
    (client) => checkMigratingRole(client, direct),
    direct,
  );
  await withDatabase(strings.pooled, (client) => checkWorkingRole(client, owners, pooled), pooled);
}

/** @throws Refused without credentials for Neon */
export function neonOf(): Neon {
  if (!process.env['NEON_API_KEY'])
    throw new Refused(
      'Set NEON_API_KEY, and the database is found or made at Neon; or give both strings of one: --database and --database-direct.',
    );
  return new Neon(process.env);
}

export const databaseSecrets = ({
  pooled,
  direct,
  project,
}: Pick<FoundDatabase, 'pooled' | 'direct' | 'project'>): StoreSecrets => ({
  DATABASE_URL: pooled,
  DATABASE_URL_DIRECT: direct,
  NEON_PROJECT_ID: project ?? '',
});

export const areSameStrings = (one: ConnectionStrings, other: ConnectionStrings): boolean =>
  one.pooled === other.pooled && one.direct === other.direct;

/** Names a database for people, without its password. */
export function placeOf({ project, direct }: { project?: string | undefined; direct: string }) {
  const { host, pathname } = new URL(direct);
  return `${project ? `${project}, ` : ''}${host}${pathname}`;
}

/** A connection string, and its name in errors. */
interface DatabaseSource {
  readonly url: string;
  readonly name: string;
}

/**
 * Tells if two connection strings lead to one database: a lock that is held by one is seen by the other.
 * @param one a direct string
 * @param other a direct or a pooled string
 * @throws Unreachable
 */
export const areOneDatabase = (one: DatabaseSource, other: DatabaseSource): Promise<boolean> =>
  withDatabase(
    one.url,
    async (client) => {
      const key = randomInt(2 ** 47);
      await client.query('select pg_advisory_lock($1)', [key]);
      // The lock of a transaction: a pooler would keep that of a session.
      const { rows } = await withDatabase(
        other.url,
        (second) =>
          second.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [key]),
        other.name,
      );
      return rows[0]?.free === false;
    },
    one.name,
  );

/**
 * Checks that the worker, which uses the pooled string, and the commands act on one database.
 * @param names the names of the strings in errors
 * @throws Refused, or Unreachable
 */
export async function refuseTwoDatabases(
  { pooled, direct }: ConnectionStrings,
  names = { pooled: '--database', direct: '--database-direct' },
): Promise<void> {
  const sources = [
    { url: direct, name: `database in ${names.direct}` },
    { url: pooled, name: `database in ${names.pooled}` },
  ] as const;
  if (!(await areOneDatabase(...sources)))
    throw new Refused(
      `${names.pooled} and ${names.direct} lead to two databases. Nothing was changed: give two strings of one database.`,
    );
}

/** Tells if two connection strings name one database of one server, as both strings of Neon do. */
export const nameOneDatabase = ({ pooled, direct }: ConnectionStrings): boolean =>
  placeOf({ direct: pooled }).replace('-pooler.', '.') === placeOf({ direct });
