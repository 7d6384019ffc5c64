import type { Client } from 'pg';
import type { ArchivedTable } from './catalogue.ts';

/** The number of rows held at a time. */
export const batchSize = 1000;

/** Settings with which PostgreSQL writes values the same way on every server. */
export const plainSettings = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'iso_8601';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`;

/** Yields the rows of a table as lines of JSON, in batches, ordered by key. The transaction needs `plainSettings`. */
export async function* linesOf(
  client: Client,
  { name, columns, key }: ArchivedTable,
): AsyncGenerator<readonly string[], void> {
  await client.query(`declare archived no scroll cursor for
    select row_to_json(r)::text as line from (select ${columns} from ${name} order by ${key}) r`);
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${batchSize} from archived`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await client.query('close archived');
}
