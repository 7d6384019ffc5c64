import type { Client, DatabaseError } from 'pg';
import type { Migration } from './files.ts';
import { type AppliedMigration, keepJournal, readJournal } from './journal.ts';
import { Refused } from '../support/refusals.ts';
import { findLocks } from './locks.ts';
import { type Progress, patiently, patientlyBuilding } from './patience.ts';

/** Migrations that every store began with. Their tables were empty then, so they delay nobody. */
const baseline = ['0000_functions', '0001_schema', '0002_rollups'];

export interface SchemaState {
  readonly pending: readonly Migration[];
  /** True if a later version migrated the database. */
  readonly isLater: boolean;
}

/**
 * Applies the missing migrations, each once and in order.
 * @throws Refused if an applied file has changed, or a statement would lock a table; Error if somebody holds a lock for
 * too long
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
      ? applyByStatement(client, migration, progress)
      : applyWhole(client, migration, progress));
    progress(`${migration.name} is applied.`);
  }
  if (!state.isLater) await validateConstraints(client, migrations, progress);
  return state;
}

/** Says what to do with a database that a commit migrated whose migrations were not final. */
const unreleased =
  'If a commit between two versions migrated the database, back the store up with that commit, and restore the backup with this version ("Unreleased commits" in docs/deploying.md).';

/** Reads the applied migrations. Nothing is written unless the database is empty or a store's. */
async function readState(client: Client, migrations: readonly Migration[]): Promise<SchemaState> {
  const rows = await readJournal(client, migrations);
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  if (!migrations.some(({ name }) => applied.has(name))) await refuseForeign(client, rows);
  for (const migration of migrations) refuseChanged(migration, applied.get(migration.name));
  const known = new Set(migrations.map(({ name }) => name));
  const later = rows.find(({ name }) => !known.has(name));
  const pending = migrations.filter(({ name }) => !applied.has(name));
  if (later && pending[0])
    throw new Refused(
      `The database has a migration that this version lacks (${later.name || later.hash}), and lacks one of this version (${pending[0].name}). Bring both into one version first. ${unreleased}`,
    );
  await keepJournal(client, rows);
  return { pending, isLater: later !== undefined };
}

/** @throws Refused if the database has migrations or tables of another program */
async function refuseForeign(client: Client, applied: readonly AppliedMigration[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        and relname in ('orders', 'products', 'settings', 'users') limit 1`,
  );
  if (rows[0] && applied.length > 0)
    throw new Refused(
      'The database was made before migrations were kept, and none leads from it to this version. Export its lists with the version that made it.',
    );
  if (rows[0])
    throw new Refused(
      `The database already has a table ${rows[0].name} that this service did not make. Use an empty database.`,
    );
  if (applied.length > 0)
    throw new Refused('The database has migrations of another program. Use an empty database.');
}

/** @throws Refused if the text of an applied file has changed */
function refuseChanged({ name, hash, formerHashes = [] }: Migration, kept: string | undefined) {
  if (kept === undefined || kept === hash || formerHashes.includes(kept)) return;
  throw new Refused(
    `${name} was applied to this database with another text. Migrations are never changed: restore drizzle/${name}.sql, and put the change into a new one. ${unreleased}`,
  );
}

async function refuseLocks(migration: Migration): Promise<void> {
  const reasons = await findLocks(migration);
  if (reasons.length === 0) return;
  throw new Refused(
    `${migration.name} is refused:\n${reasons.map((one) => `  ${one}`).join('\n')}`,
  );
}

async function applyWhole(client: Client, migration: Migration, progress: Progress): Promise<void> {
  await patiently(client, migration.name, progress, async () => {
    for (const statement of migration.statements) await client.query(statement);
    await note(client, migration);
  });
}

/** Builds indexes concurrently. The remains of an interrupted build are dropped first. */
async function applyByStatement(
  client: Client,
  migration: Migration,
  progress: Progress,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(c.relname) as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where not i.indisvalid and c.relnamespace = 'public'::regnamespace
        and c.relname = any ($1)`,
    [wordsOf(migration.statements)],
  );
  await patientlyBuilding(client, migration.name, progress, async () => {
    for (const { name } of rows) await client.query(`drop index concurrently if exists ${name}`);
    for (const statement of migration.statements) await client.query(statement);
  });
  await note(client, migration);
}

const wordsOf = (statements: readonly string[]) => statements.join(' ').match(/\w+/g) ?? [];

const note = (client: Client, { name, hash, when }: Migration) =>
  client.query(
    'insert into drizzle.__drizzle_migrations (hash, created_at, name) values ($1, $2, $3)',
    [hash, when, name],
  );

/** PostgreSQL's codes for rows that violate a constraint: of NOT NULL, a foreign key and a CHECK. */
const violations = ['23502', '23503', '23514'];

/** Validates new constraints without blocking writes. */
async function validateConstraints(
  client: Client,
  migrations: readonly Migration[],
  progress: Progress,
): Promise<void> {
  const adding = migrations
    .flatMap(({ statements }) => statements)
    .filter((text) => /not\s+valid/i.test(text));
  const { rows } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
      where not convalidated and connamespace = 'public'::regnamespace
        and conname = any ($1) order by 1, 2`,
    [wordsOf(adding)],
  );
  for (const { table, name } of rows) {
    await client
      .query(`alter table ${table} validate constraint ${name}`)
      .catch((error: DatabaseError) => {
        if (!violations.includes(error.code ?? '')) throw error;
        throw new Error(
          `${name} of ${table} does not hold for every row: ${error.detail ?? error.message}. It is in force for new rows. Correct the others, then run the command again.`,
          { cause: error },
        );
      });
    progress(`${name} of ${table} holds for every row.`);
  }
}
