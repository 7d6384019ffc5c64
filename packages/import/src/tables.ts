import { type Charset, charsetOf } from './charset.ts';
import { SourceRefused } from './errors.ts';
import type { InsertHead, TableShape } from './statements.ts';

/** The plan for reading the rows of an INSERT. */
export interface RowPlan {
  table: string;
  charset: Charset;
  width: number;
  /** The indexes of the wanted values in a row; -1 if missing. */
  places: readonly number[];
}

/** The tables that a dump has shown so far. */
export class Tables {
  /** Undefined if only rows have been seen. */
  readonly #shapes = new Map<string, TableShape | undefined>();
  /** Requested columns that are missing, as `table.column`. */
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

  /** Records a table by its rows: a dump without structure has nothing else. */
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
