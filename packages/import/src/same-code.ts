import type { DatabaseSync } from 'node:sqlite';
import { meantCode } from '../../../src/exports/store.ts';
import { folded } from './folded.ts';
import { grouped } from './grouped.ts';

/** Key of a licence code: two codes with the same key are one, as for the store's index. */
const codeKey = (code: string): string => folded(meantCode(code), 'toUpperCase');

/** Adds to the functions of SQLite the one that says what licences are known by. */
export function addCodeFunction(database: DatabaseSync): void {
  database.function('code_key', { deterministic: true }, (code) =>
    codeKey(code === null ? '' : String(code)),
  );
}

/** The rows of a table of licences that are known by the same code, in the order of their ids. */
export function byCode<Row>(
  database: DatabaseSync,
  { table, id, code }: { readonly table: string; readonly id: string; readonly code: string },
): Iterable<readonly Row[]> {
  addCodeFunction(database);
  const rows = database
    .prepare(
      `select *, min(cast(${id} as integer)) over (partition by code_key(${code})) as first_of_code
         from ${table} order by first_of_code, cast(${id} as integer)`,
    )
    .iterate() as Iterable<unknown> as Iterable<Row & { readonly first_of_code: number }>;
  return grouped(rows, ({ first_of_code }) => first_of_code);
}
