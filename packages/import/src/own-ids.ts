import { type MappedRow, type Entity, mapped } from './mapped.ts';
import type { Source } from './source.ts';
import { identifier } from './staged-table.ts';
import type { Staging } from './staging.ts';

/** Rows of a source that the report names by their own ids. */
export interface OwnIds {
  readonly entity: Entity;
  readonly table: string;
  /** A condition on the rows of the table, in SQL; all of them without one. */
  readonly where?: string;
  /** A prefix for the id in the report. */
  readonly prefix?: string;
  /** True if the rows are parts of other rows: they are reported only if they are lost. */
  readonly isPart?: boolean;
}

export const countOf = ({ database }: Staging<Source>, ids: readonly OwnIds[] = []): number =>
  ids
    .filter(({ isPart }) => !isPart)
    .map(({ table, where = 'true' }) =>
      database.prepare(`select count(*) as n from ${identifier(table)} where ${where}`).get(),
    )
    .reduce((sum, row) => sum + Number(row?.['n']), 0);

/** The name of the table that holds a table's rows with invalid ids. */
export const withoutIds = (table: string): string => identifier(`${table} without ids`);

/** An SQL condition: true for a text that is no id, or is too large for a JavaScript number. */
const isNone = (id: string) =>
  `${id} is null or ${id} = '' or ${id} glob '*[^0-9]*' or ${id} glob '0*'
    or length(${id}) > 16 or (length(${id}) = 16 and ${id} > '${Number.MAX_SAFE_INTEGER}')`;

/** Moves rows with invalid ids into tables of their own: a cast could turn such an id into that of another row. */
export function setApart({ database, tables }: Staging<Source>): void {
  database.exec('begin');
  for (const [table, { id }] of Object.entries(tables)) {
    if (id === undefined) continue;
    const [from, apart] = [identifier(table), withoutIds(table)];
    database.exec(`
      create table if not exists ${apart} as select * from ${from} where false;
      insert into ${apart} select * from ${from} where ${isNone(identifier(id))};
      delete from ${from} where ${isNone(identifier(id))}`);
  }
  database.exec('commit');
}

/** Reports the rows of a step whose ids are invalid. */
export const withoutOwnIds = (
  { database, tables }: Staging<Source>,
  ids: readonly OwnIds[] = [],
): MappedRow[] =>
  ids.flatMap(({ entity, table, where = 'true', prefix = '' }) => {
    const id = identifier(tables[table]?.id ?? '');
    return database
      .prepare(`select ${id} as id from ${withoutIds(table)} where ${where} order by rowid`)
      .all()
      .map((row) => mapped(entity, prefix + String(row['id']), { refusal: 'id-impossible' }));
  });
