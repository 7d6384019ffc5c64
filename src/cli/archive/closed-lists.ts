import { getTableColumns, is } from 'drizzle-orm';
import { PgArray, PgTable, getTableConfig } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import * as schema from '../../schema/index.ts';

/** A column whose values, or the parts of whose lists, are of a closed list. */
interface ClosedList {
  readonly column: string;
  readonly isArray: boolean;
  readonly values: readonly string[];
}

const tables = Object.values(schema).filter((each) => is(each, PgTable)) as PgTable[];

/** Returns the columns of a table that take values of a closed list only. */
function closedListsOf(name: string): ClosedList[] {
  const table = tables.find((each) => getTableConfig(each).name === name);
  const columns = table ? Object.values(getTableColumns(table)) : [];
  return columns.flatMap((column) => {
    const isArray = is(column, PgArray);
    const { enumValues } = isArray ? column.baseColumn : column;
    return enumValues?.length ? [{ column: column.name, isArray, values: enumValues }] : [];
  });
}

/** @throws Error where a table has a value that isn't on the closed list of its column */
export async function checkClosedLists(client: Client, table: string): Promise<void> {
  for (const { column, isArray, values } of closedListsOf(table)) {
    const isKnown = isArray ? `"${column}" <@ $1::text[]` : `"${column}" = any ($1::text[])`;
    const { rowCount } = await client.query(`select from ${table} where not (${isKnown}) limit 1`, [
      values,
    ]);
    if (rowCount)
      throw new Error(
        `${table}.ndjson has a value of ${column} that this version does not know: it was changed.`,
      );
  }
}
