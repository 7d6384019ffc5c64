import { type Charset, charsetOf } from './charset.ts';
import { SourceRefused } from './errors.ts';
import type { InsertHead, TableShape } from './statements.ts';

/** The way to read the rows of an INSERT. */
export interface RowPlan {
  table: string;
  charset: Charset;
  width: number;
  /** The places of the wanted values in a row; -1: nowhere. */
  places: readonly number[];
}

/** The tables that a dump has shown so far. */
export class Tables {
  /** Undefined where only rows have been seen. */
  readonly #shapes = new Map<string, TableShape | undefined>();
  /** Columns that were asked for and aren't there, as `table.column`. */
  readonly missingColumns = new Set<string>();

  get names(): string[] {
    return [...this.#shapes.keys()];
  }

  create(shape: TableShape, isWanted: boolean): void {
    const { table } = shape;
    if (isWanted && this.#shapes.get(table))
      throw new SourceRefused(
        'tables',
        `The dump creates ${table} twice. Export the shop's database alone, into a file of its own`,
      );
    this.#shapes.set(table, shape);
  }

  /** Notes a table by its rows, which a dump without structure has alone. */
  meet(table: string): void {
    if (!this.#shapes.has(table)) this.#shapes.set(table, undefined);
  }

  /** Plans the reading of rows for these columns; undefined if the columns of the rows aren't known. */
  plan(
    { table, columns: named, hasRows }: InsertHead,
    wanted: readonly string[],
    charset: Charset | undefined,
  ): RowPlan | undefined {
    const shape = this.#shapes.get(table);
    const columns = named ?? shape?.columns;
    if (!hasRows || !columns) return undefined;
    const places = wanted.map((column) => columns.indexOf(column));
    for (const column of wanted)
      if (!columns.includes(column)) this.missingColumns.add(`${table}.${column}`);
    return {
      table,
      charset: charset ?? charsetOf(shape?.charset ?? 'utf8mb4'),
      width: columns.length,
      places,
    };
  }
}
