import { type ImportedRow, type Refusal, mapped } from './mapped.ts';
import type { Step, StepContext } from './importer.ts';
import type { Source, StagedRow, TableName } from './source.ts';
import { identifier } from './staged-table.ts';
import type { Staging } from './staging.ts';

/** A step that makes a record from each row of a table. */
interface EachRow<S extends Source, C, T extends TableName<S>> extends Pick<Step<S, C>, 'entity'> {
  readonly table: T;
  /** A condition on the rows, in SQL; all of them without one. */
  readonly where?: string;
  /** The order of the rows, in SQL; by default as they were read. */
  readonly order?: string;
  /** The query of the rows, if they come with more than their own columns. */
  readonly query?: string;
  readonly reader: (
    context: StepContext<S, C>,
  ) => (row: StagedRow<S, T>, id: number) => ImportedRow | Refusal;
}

/** Declares the steps of a kind of shop that go through a table row by row. */
export const stepsOf =
  <S extends Source, C>() =>
  <T extends TableName<S>>({
    entity,
    table,
    where = 'true',
    order = 'rowid',
    ...more
  }: EachRow<S, C, T>): Step<S, C> => ({
    entity,
    ids: [{ entity, table, where }],
    *map(context) {
      const { database, tables } = context.staging;
      const read = more.reader(context);
      const column = tables[table]?.id ?? '';
      const query =
        more.query ?? `select * from ${identifier(table)} where ${where} order by ${order}`;
      const rows = database.prepare(query).iterate() as Iterable<unknown>;
      for (const row of rows as Iterable<StagedRow<S, T>>) {
        const id = String((row as Readonly<Record<string, unknown>>)[column]);
        yield mapped(entity, id, read(row, Number(id)));
      }
    },
  });

export const postsOf = (type: string) =>
  ({ table: 'posts', where: `post_type = '${type}'`, order: 'cast(ID as integer)' }) as const;

export const postRows = ({ database }: Staging<Source>, type: string) =>
  database
    .prepare('select * from posts where post_type = ? order by cast(ID as integer)')
    .iterate(type) as Iterable<Readonly<Record<string, string | null>>>;
