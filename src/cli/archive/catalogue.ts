import type { Client } from 'pg';
import { sequencesOfTables } from '../support/sequences.ts';
import { storeTableNames } from '../support/store-tables.ts';

export interface ArchivedTable {
  readonly name: string;
  /** Its quoted columns, except those that PostgreSQL computes. */
  readonly columns: string;
  /** The columns that order the rows: the primary key, or all columns if there is none. */
  readonly key: string;
}

export interface SequenceState {
  readonly name: string;
  readonly last_value: string;
  readonly is_called: boolean;
}

/**
 * Returns SQL that makes an ORDER BY column of a row of `pg_attribute`. Texts are ordered by their bytes, whatever
 * collation the database has.
 */
const ordered = (column: string) =>
  `quote_ident(${column}.attname) || case when ${column}.attcollation <> 0 then ' collate "C"' else '' end`;

/** Tables that belong to a deployment: its functions, and the mark of the store. */
const tablesOfDeployment = ['stored_functions', 'store_mark'];

const archivedNames = storeTableNames.filter((name) => !tablesOfDeployment.includes(name));

/** Tells if an archive holds the table. Tables of others are left out. */
export const isArchived = (name: string): boolean => archivedNames.includes(name);

/** Says which tables were left out. */
export const leftOutText = (names: readonly string[]): string =>
  `Left out, because the store does not have them: ${names.join(', ')}`;

/** Reads the existing tables with these names. */
export async function readTables(
  client: Client,
  names: readonly string[] = archivedNames,
): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable>(
    `
    select c.relname as name, columns.list as columns, coalesce(key.list, columns.ordered) as key
      from pg_class c
      cross join lateral (
        select string_agg(quote_ident(attname), ', ' order by attnum) as list,
               string_agg(${ordered('pg_attribute')}, ', ' order by attnum) as ordered
          from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
      ) columns
      left join lateral (
        select string_agg(${ordered('a')}, ', ' order by k.place) as list
          from pg_index i
          cross join lateral unnest(i.indkey) with ordinality as k(attnum, place)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
         where i.indrelid = c.oid and i.indisprimary
      ) key on true
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and c.relname = any ($1)
     order by c.relname`,
    [names],
  );
  return rows;
}

/** Reads the names of the tables that don't belong to the deployment. */
export async function readTableNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> all ($1)
      order by relname`,
    [tablesOfDeployment],
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns the first table that somebody wrote into. The settings and the built-in roles always exist: they count once
 * they are changed.
 */
export async function findWritten(
  client: Client,
  tables: readonly Pick<ArchivedTable, 'name'>[],
): Promise<string | undefined> {
  const untouched = await untouchedSettings(client);
  const checks = tables.map(({ name }) => {
    const rows =
      { settings: `settings where not (${untouched})`, staff_roles: changedRoles }[name] ?? name;
    return `select ${client.escapeLiteral(name)} as name where exists (select from ${rows})`;
  });
  if (checks.length === 0) return undefined;
  const { rows } = await client.query<{ name: string }>(`${checks.join(' union all ')} limit 1`);
  return rows[0]?.name;
}

const changedRoles = 'staff_roles where version > 1 or not built_in';

/** An SQL condition: each setting has its column's default. The migrations set the rest. */
async function untouchedSettings(client: Client): Promise<string> {
  const { rows } = await client.query<{ condition: string | null }>(
    `select string_agg(
              format('%I is not distinct from %s', attname, coalesce(pg_get_expr(adbin, adrelid), 'null')),
              ' and ') as condition
       from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = to_regclass('settings') and attnum > 0 and not attisdropped
        and attname not in ('updated_at', 'plain_transfers_held_until')`,
  );
  return rows[0]?.condition ?? 'true';
}

/** Reads the sequences of the tables' ids. */
export async function readSequences(
  client: Client,
  tables: readonly ArchivedTable[],
): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(s.relname) as name ${sequencesOfTables} order by s.relname`,
    [tables.map((table) => table.name)],
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: state } = await client.query<SequenceState>(
      `select '${name}' as name, last_value, is_called from ${name}`,
    );
    states.push(...state);
  }
  return states;
}

/** Returns the hash of the newest applied migration. An archive is read only into a database at the same migration. */
export async function readSchemaVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by id desc limit 1',
  );
  return rows[0]?.hash ?? '';
}
