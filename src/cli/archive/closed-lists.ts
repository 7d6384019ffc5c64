import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgArray } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import { isInConsole } from '../../domain/user/capabilities.ts';
import { eventPatterns } from '../../domain/webhook/catalogue.ts';
import type { ArchivedTable } from './catalogue.ts';
import { paidStatuses } from '../../schema/lists.ts';
import { scopes } from '../../schema/scopes.ts';
import { storeTables } from '../support/store-tables.ts';

/** Lists of values by table and column, if the column itself does not have them. */
const vocabularies: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  api_keys: { scopes: scopes.map(({ name }) => name) },
  settings: { access_statuses: paidStatuses },
  staff_roles: { scopes: scopes.map(({ name }) => name).filter(isInConsole) },
  webhooks: { events: eventPatterns },
};

interface ClosedList {
  readonly column: string;
  readonly kind: 'value' | 'array' | 'document';
  readonly values: readonly string[];
}

export function closedListsOf(name: string): ClosedList[] {
  const table = storeTables.find((each) => getTableName(each) === name);
  const columns = table ? Object.values(getTableColumns(table)) : [];
  return columns.flatMap((column) => {
    const isArray = is(column, PgArray);
    const { enumValues } = isArray ? column.baseColumn : column;
    const values = enumValues?.length ? enumValues : vocabularies[name]?.[column.name];
    if (!values) return [];
    const kind = column.getSQLType() === 'jsonb' ? 'document' : isArray ? 'array' : 'value';
    return [{ column: column.name, kind, values }];
  });
}

const known = {
  value: (column: string) => `${column} = any ($1::text[])`,
  array: (column: string) => `${column} <@ $1::text[]`,
  document: (column: string) =>
    `jsonb_typeof(${column}) = 'array' and ${column} <@ to_jsonb($1::text[])`,
} as const;

/**
 * Checks the existing columns of a table: one of an earlier version may lack some.
 * @throws Error if a value isn't on the closed list of its column
 */
export async function checkClosedLists(
  client: Client,
  { name: table, columns }: ArchivedTable,
): Promise<void> {
  const own = new Set(columns.split(', '));
  for (const { column, kind, values } of closedListsOf(table)) {
    if (!own.has(column) && !own.has(`"${column}"`)) continue;
    const { rowCount } = await client.query(
      `select from ${table} where not (${known[kind](`"${column}"`)}) limit 1`,
      [values],
    );
    if (rowCount)
      throw new Error(
        `${table}.ndjson has a value of ${column} that this version does not know: it was changed.`,
      );
  }
}
