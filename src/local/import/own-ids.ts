import { type Entity, type Mapped, without } from './mapped.ts';
import type { Source } from './source.ts';
import { identifier } from './staged-table.ts';
import type { Staging } from './staging.ts';

/** Rows of a source that the report names by their own ids. */
export interface OwnIds {
  readonly entity: Entity;
  readonly table: string;
  /** Which rows of the table, in SQL; all where it isn't said. */
  readonly where?: string;
  /** What the report has before the id. */
  readonly prefix?: string;
}

/** Names tables with rows of an entity each. */
export const ownIds = (tables: Readonly<Partial<Record<Entity, string>>>): OwnIds[] =>
  Object.entries(tables).map(([entity, table]) => ({ entity: entity as Entity, table }));

/** Names the posts of some types, by the entity that they are. */
export const postIds = (types: Readonly<Partial<Record<Entity, string>>>): OwnIds[] =>
  Object.entries(types).map(([entity, type]) => ({
    entity: entity as Entity,
    table: 'posts',
    where: `post_type = '${type}'`,
  }));

/** The table of the rows of a table whose own ids are none. */
export const withoutIds = (table: string): string => identifier(`${table} without ids`);

/** Whether a text is no id as databases write those of their rows, or none that a number keeps, in SQL. */
const isNone = (id: string) =>
  `${id} is null or ${id} = '' or ${id} glob '*[^0-9]*' or ${id} glob '0*'
    or length(${id}) > 16 or (length(${id}) = 16 and ${id} > '${Number.MAX_SAFE_INTEGER}')`;

/** Sets rows apart whose own ids are none: rounded, or cast, they would be those of others. */
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

/** What the report says of the rows of an entity that were set apart. */
export function withoutOwnIds(
  { database, tables }: Staging<Source>,
  entity: Entity,
  rows: readonly OwnIds[],
): Mapped[] {
  return rows
    .filter((row) => row.entity === entity)
    .flatMap(({ table, where = 'true', prefix = '' }) =>
      database
        .prepare(
          `select ${identifier(tables[table]?.id ?? '')} as id from ${withoutIds(table)}
            where ${where} order by rowid`,
        )
        .all()
        .map(({ id }) => without(entity, prefix + String(id), 'refused', 'id-impossible')),
    );
}
