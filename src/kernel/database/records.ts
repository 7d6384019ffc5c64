import { Column, type GetColumnData, SQL, Table, getTableColumns, is, sql } from 'drizzle-orm';
import { PgBoolean, PgDialect, type PgTable, PgText } from 'drizzle-orm/pg-core';
import { compositeFields } from '../../lib/composite.ts';
import { build } from './statements.ts';

/** Sources of a record's fields: columns, whole tables, JSON in SQL, and nested records. */
export interface RecordFields {
  readonly [name: string]: Column | Table | SQL | Embedded<unknown> | RecordFields;
}

type Read<F> = F extends Table
  ? F['$inferSelect']
  : F extends Column
    ? GetColumnData<F>
    : F extends SQL<infer T> | Embedded<infer T>
      ? T
      : { [K in keyof F]: Read<F[K]> };

/** A field: its SQL, and the parser of PostgreSQL's text. */
interface Field {
  readonly text: string;
  readonly decode: (value: string) => unknown;
}

/** A record of another table. */
class Embedded<T> {
  declare readonly type: T;
  readonly field: Field;
  constructor(field: Field) {
    this.field = field;
  }
}

const dialect = new PgDialect();
const render = (part: SQL) => dialect.sqlToQuery(part).sql;

/**
 * Selects rows as composite values. SQL and reader are made once, not with each statement, and the driver parses one
 * value in place of forty columns.
 */
export function recordOf<F extends RecordFields | Table>(fields: F): SQL<Read<F>> {
  const { text, decode } = compile(fields);
  return sql.raw(text).mapWith((value) => decode(value as string)) as SQL<Read<F>>;
}

/** Embeds the record of another table that a row always refers to. */
export const recordFrom = <F extends RecordFields | Table>(
  table: PgTable,
  condition: SQL,
  fields: F,
) => {
  const { text, decode } = compile(fields);
  const found = render(sql`(select ${sql.raw(text)} from ${table} where ${condition})`);
  return new Embedded<Read<F>>({ text: found, decode });
};

/** Like `recordFrom`, but null if there is no such record. */
export const recordOrNullFrom = <F extends RecordFields | Table>(
  ...embedded: Parameters<typeof recordFrom<F>>
) => new Embedded<Read<F> | null>(recordFrom(...embedded).field);

/** Starts a SELECT of records. The unit of work returns the records themselves. */
export const selectRecords = <T>(record: SQL<T>) => build.select({ $record: record });

/** A JSON value: parsed by the driver, or as text inside a composite value. */
export type Json<T> = T | string;

export const fromJson = <T extends object>(json: Json<T>): T =>
  typeof json === 'string' ? (JSON.parse(json) as T) : json;

/** Reads a row in JSON like the columns of its table. */
export const rowFrom = <T extends PgTable>(table: T, json: object): T['$inferSelect'] =>
  Object.fromEntries(
    Object.entries(json).map(([name, value]: [string, unknown]) => {
      const column = getTableColumns(table)[name];
      return [name, value === null || !column ? value : column.mapFromDriverValue(value)];
    }),
  );

function compile(fields: RecordFields | Table): Field {
  const { texts, read } = layout(fields, 0);
  return {
    text: `row(${texts.join(', ')})`,
    decode: (composite) => read(compositeFields(composite)),
  };
}

/** The values of a record and its nested records within a row. */
interface Layout {
  readonly texts: readonly string[];
  readonly read: (values: readonly (string | null)[]) => Record<string, unknown>;
}

function layout(fields: RecordFields | Table, start: number): Layout {
  const texts: string[] = [];
  const readers: [name: string, read: (values: readonly (string | null)[]) => unknown][] = [];
  for (const [name, field] of Object.entries(
    is(fields, Table) ? getTableColumns(fields) : fields,
  )) {
    const at = start + texts.length;
    const value = fieldOf(field);
    if (value) {
      texts.push(value.text);
      readers.push([name, (values) => decoded(values[at], value)]);
    } else {
      const inner = layout(field as RecordFields | Table, at);
      texts.push(...inner.texts);
      readers.push([name, inner.read]);
    }
  }
  const read: Layout['read'] = (values) => {
    const record: Record<string, unknown> = {};
    for (const [name, readValue] of readers) record[name] = readValue(values);
    return record;
  };
  return { texts, read };
}

const decoded = (text: string | null | undefined, { decode }: Field) =>
  text === null || text === undefined ? null : decode(text);

/** Returns undefined for a record of several fields. */
function fieldOf(field: RecordFields[string]): Field | undefined {
  if (field instanceof Embedded) return field.field;
  if (is(field, Column)) return { text: nameOf(field), decode: columnDecoder(field) };
  return is(field, SQL) ? { text: render(field), decode: JSON.parse } : undefined;
}

/** Names a column without quotes if possible: prepared trips repeat the names of all columns. */
const nameOf = (column: Column) =>
  render(sql`${column}`).replace(/^"([a-z][a-z0-9_]*)"\."([a-z][a-z0-9_]*)"$/, '$1.$2');

function columnDecoder(column: Column): Field['decode'] {
  if (is(column, PgText)) return (text) => text;
  if (is(column, PgBoolean)) return (text) => text === 't';
  return (text) => column.mapFromDriverValue(text);
}
