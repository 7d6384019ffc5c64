import type { DatabaseSync } from 'node:sqlite';
import { meantCode } from '../../../src/exports/store.ts';
import { folded } from './folded.ts';
import { grouped } from './grouped.ts';

/** The key of a licence code: codes with equal keys are one code, as in the store's index. */
const codeKey = (code: string): string => folded(meantCode(code), 'toUpperCase');

/** Adds the SQLite function `code_key`. */
export function addCodeFunction(database: DatabaseSync): void {
  database.function('code_key', { deterministic: true }, (code) =>
    codeKey(code === null ? '' : String(code)),
  );
}

/** Groups the rows of a table of licences by code, in the order of their ids. */
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
