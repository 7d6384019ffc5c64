/** The staged part of a table. Columns that aren't named here never leave the dump. */
export interface SourceTable {
  readonly columns: readonly string[];
  /**
   * Limits the rows to those whose column has one of these values. A value with `*` at its end is a prefix; `{p}` is
   * the shop's table prefix. Without it, all rows.
   */
  readonly rows?: { readonly column: string; readonly values: readonly string[] };
  /**
   * The fields to stage of serialised arrays that contain secrets. The array is in `column`; `of` names its fields for
   * each value of the column of `rows`. They are staged as a JSON object, or null if the array is unreadable.
   */
  readonly fields?: {
    readonly column: string;
    readonly of: Readonly<Record<string, readonly string[]>>;
  };
  /** The column of its rows' own ids, which the report uses. */
  readonly id?: string;
  /** The columns by which staged rows are looked up, together. */
  readonly index: readonly string[];
  /** Further columns by which they are looked up, each alone. */
  readonly alsoBy?: readonly string[];
  /** True if a shop may lack it: it belongs to an add-on, or to another version. */
  readonly optional?: true;
  /** True if a network of sites has it once, under the first site's prefix. */
  readonly network?: true;
}

/** The words of a text with one blank between them. */
type WordOf<T extends string> = T extends `${infer First} ${infer Rest}` ? First | WordOf<Rest> : T;

export const words = <const T extends string>(...texts: readonly T[]): readonly WordOf<T>[] =>
  texts.flatMap((text) => text.split(' ')) as WordOf<T>[];

/** A kind of shop that can be imported. */
export interface Source {
  readonly name: string;
  /**
   * Tables that identify such a shop. A later one counts only if the earlier are missing. The text before the name is
   * the prefix.
   */
  readonly marks: readonly [string, ...string[]];
  /** By their names without the prefix, as they are staged. */
  readonly tables: Readonly<Record<string, SourceTable>>;
}

export type TableName<S extends Source> = Extract<keyof S['tables'], string>;

/** A staged row: each of its columns as text. */
export type StagedRow<S extends Source, T extends TableName<S>> = Readonly<
  Record<S['tables'][T]['columns'][number], string | null>
>;

/** The staged rows of a table: those whose column has one of the values, or begins with one of the prefixes. */
export interface WantedRows {
  column: string;
  values: readonly string[];
  beginnings: readonly string[];
}

export function wantedRows(
  { column, values }: NonNullable<SourceTable['rows']>,
  prefix: string,
): WantedRows {
  const wanted = values.map((value) => value.replace('{p}', prefix));
  return {
    column,
    values: wanted.filter((value) => !value.endsWith('*')),
    beginnings: wanted.filter((value) => value.endsWith('*')).map((value) => value.slice(0, -1)),
  };
}

/** Tells if a row is wanted, by the value of its column. */
export function rowFilter({ values, beginnings }: WantedRows): (value: string | null) => boolean {
  const exact = new Set(values);
  return (value) =>
    value !== null &&
    (exact.has(value) || beginnings.some((beginning) => value.startsWith(beginning)));
}
