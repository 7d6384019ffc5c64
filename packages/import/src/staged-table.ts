import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Value } from './dump.ts';
import { unserialize } from './serialized.ts';
import { type SourceTable, type WantedRows, rowFilter, wantedRows } from './source.ts';

export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A table of the staging file while it is filled. */
export class StagedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The rows that are staged; undefined for all. */
  readonly wanted: WantedRows | undefined;
  rows = 0;
  repairs = 0;
  readonly #database: DatabaseSync;
  readonly #declared: SourceTable;
  readonly #insert: StatementSync;
  /** The index of the column that decides if a row is staged. */
  readonly #keyPlace: number;
  readonly #isWanted: (key: Value) => boolean;

  constructor(database: DatabaseSync, name: string, declared: SourceTable, prefix: string) {
    const { columns, rows } = declared;
    const texts = columns.map((column) => `${identifier(column)} text`);
    database.exec(`create table ${identifier(name)} (${texts.join()}) strict`);
    this.name = name;
    this.columns = columns;
    this.#database = database;
    this.#declared = declared;
    this.#insert = database.prepare(
      `insert into ${identifier(name)} values (${columns.map(() => '?').join()})`,
    );
    this.#keyPlace = rows ? columns.indexOf(rows.column) : -1;
    this.wanted = rows && wantedRows(rows, prefix);
    this.#isWanted = this.wanted ? rowFilter(this.wanted) : () => true;
  }

  add(values: readonly Value[], repairs: number): void {
    const key = values[this.#keyPlace] ?? null;
    if (!this.#isWanted(key)) return;
    this.#insert.run(...this.#withoutSecrets(values, key));
    this.rows += 1;
    this.repairs += repairs;
  }

  /** Creates the indexes; call it after the last row. */
  finish(): void {
    const { index, alsoBy = [] } = this.#declared;
    this.#createIndex('index', index);
    for (const column of alsoBy) this.#createIndex(column, [column]);
  }

  #createIndex(name: string, columns: readonly string[]): void {
    const index = identifier(`${this.name} ${name}`);
    const on = `${identifier(this.name)} (${columns.map(identifier).join()})`;
    this.#database.exec(`create index ${index} on ${on}`);
  }

  /** Replaces an array that contains secrets by its wanted fields. */
  #withoutSecrets(values: readonly Value[], key: Value): readonly Value[] {
    const { fields } = this.#declared;
    const wanted = fields && key !== null ? fields.of[key] : undefined;
    if (!fields || !wanted) return values;
    return values.with(
      this.columns.indexOf(fields.column),
      fieldsOf(values[this.columns.indexOf(fields.column)], wanted),
    );
  }
}

/** These fields of a serialised array, as JSON; null for any other text. */
function fieldsOf(serialized: Value | undefined, wanted: readonly string[]): Value {
  const read = unserialize(serialized ?? '');
  if (!read.ok || typeof read.value !== 'object' || read.value === null) return null;
  const array = read.value;
  return JSON.stringify(Object.fromEntries(wanted.map((field) => [field, array[field]])));
}
