import {
  SQL,
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  is,
  lt,
  lte,
  or,
  sql,
} from 'drizzle-orm';
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core';
import type { Instant } from '../../lib/instant.ts';
import { type Argument, build } from './statements.ts';

export interface Window {
  readonly limit: Argument<number>;
  readonly offset: Argument<number>;
  readonly ascending: boolean;
  /** The id of the last row of the page before; it may be SQL whose value is null. */
  readonly after: Argument<number> | undefined;
  /** True to order rows by their last change, and by id only among equals. */
  readonly byChange?: boolean;
  /** The last change of the row `after`, if rows are ordered by it. */
  readonly changed?: Instant | undefined;
}

/** A condition for each filter of a list; undefined for a filter that isn't given. */
export type Conditions = Readonly<Record<string, SQL | undefined>>;

export const allOf = (conditions: Conditions) => and(...Object.values(conditions));

/** Rows whose document has all of these values, each as text, number or flag. */
export const hasValues = (
  column: PgColumn,
  values: Readonly<Record<string, string>> | undefined,
): SQL | undefined => {
  if (values === undefined) return undefined;
  const has = ([key, text]: [string, string]) =>
    or(
      ...readings(text).map(
        (value) => sql`${column} @> ${JSON.stringify({ [key]: value })}::jsonb`,
      ),
    );
  // The index leaves out empty documents, which most rows have.
  return and(sql`${column} <> '{}'::jsonb`, ...Object.entries(values).map(has));
};

/** The JSON values that a text may mean. */
const readings = (text: string): (string | number | boolean)[] => [
  text,
  ...(/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text))
    ? [Number(text)]
    : []),
  ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
];

export const equals = <T extends PgTable, K extends string & keyof T['$inferSelect']>(
  table: T,
  values: { readonly [N in K]: Argument<T['$inferSelect'][N]> | undefined },
) => {
  const columns: Record<string, unknown> = getTableColumns(table);
  const conditions = Object.entries(values).map(([name, value]) => [
    name,
    value === undefined ? undefined : eq(columns[name] as PgColumn, value),
  ]);
  return Object.fromEntries(conditions) as Record<K, SQL | undefined>;
};

/** The names of given conditions, except the known ones. */
export const givenBeside = (known: readonly string[], conditions: Conditions) =>
  Object.keys(conditions).filter((name) => conditions[name] !== undefined && !known.includes(name));

interface ListSource {
  /**
   * A column to order by before the id, in nearly the same order. With a filter on this column, an index then finds
   * every page.
   */
  readonly time?: PgColumn | undefined;
  /** The parent within which ids are unique, if they aren't unique in the table. */
  readonly within?: SQL | undefined;
  /** The ids of the list, if its conditions need other tables than the id's. */
  readonly ids?: PgSelect;
}

/** Limits a list, ordered by id, to a window. Of skipped rows, only ids are read. */
export function paged<T extends PgSelect>(
  select: T,
  id: PgColumn,
  conditions: Conditions,
  window: Window,
  { time, within, ids = build.select({ id }).from(id.table).$dynamic() }: ListSource = {},
): T {
  const { limit, offset, ascending, byChange } = window;
  const first = byChange ? lastChangeOf(id) : time;
  const order = (first ? [first, id] : [id]).map((key) => (ascending ? asc(key) : desc(key)));
  const page = <S extends PgSelect>(rows: S) =>
    rows
      .where(and(allOf(conditions), beyond(id, { time, within }, window)))
      .orderBy(...order)
      // Drizzle also renders SQL here.
      .limit(limit as number);
  if (offset === 0) return page(select);
  const found = page(ids).offset(offset as number);
  return select.where(sql`${id} = any (array(${found}))`).orderBy(...order);
}

const lastChangeOf = (id: PgColumn) => getTableColumns(id.table)['updated_at'] as PgColumn;

/** Matches rows after a known one, or after its place if it was erased. */
function beyond(
  id: PgColumn,
  { time, within }: Pick<ListSource, 'time' | 'within'>,
  { ascending, after, byChange, changed }: Window,
): SQL | undefined {
  if (after === undefined) return undefined;
  if (byChange)
    return sql`(${lastChangeOf(id)}, ${id}) > (${changed}::timestamptz, ${after}::bigint)`;
  // A parameter may be null. An index must find the rows in both cases.
  if (is(after, SQL)) return lt(id, sql`coalesce(${after}, 9223372036854775807)`);
  if (!time) return ascending ? gt(id, after) : lt(id, after);
  const last = sql`((select ${time} from ${id.table} where ${and(lte(id, after), within)}
    order by ${id} desc limit 1), ${after}::bigint)`;
  return ascending ? sql`(${time}, ${id}) > ${last}` : sql`(${time}, ${id}) < ${last}`;
}

export const isDated = ({
  date_start,
  date_end,
}: {
  date_start?: string | undefined;
  date_end?: string | undefined;
}) => date_start !== undefined || date_end !== undefined;

/** Matches rows from an instant on, or from a day in the store's time zone. */
export const since = (column: PgColumn, value: string | undefined) =>
  value === undefined ? undefined : gte(column, sql`(select svc_day(${value}, false))`);

/** Matches rows changed from a date or instant on. With an instant, the planner can estimate how few rows are left. */
export const changedSince = (column: PgColumn, value: string | undefined) =>
  value !== undefined && value.length > 10 ? gte(column, value) : since(column, value);

/** Matches rows up to an instant, or to the end of a day in the store's time zone. */
export const until = (column: PgColumn, value: string | undefined) => {
  if (value === undefined) return undefined;
  const bound = sql`(select svc_day(${value}, true))`;
  return value.length > 10 ? sql`${column} <= ${bound}` : lt(column, bound);
};

/** Matches rolled-up rows of whole days. `day` counts from 2000-01-01; an absent date is no limit. */
export function withinDays(
  day: PgColumn,
  date_start: string | undefined,
  date_end: string | undefined,
): SQL | undefined {
  const number = (date: string) => sql`${date}::date - date '2000-01-01'`;
  return and(
    date_start === undefined ? undefined : gte(day, number(date_start)),
    date_end === undefined ? undefined : lte(day, number(date_end)),
  );
}

/**
 * The Unicode forms in which a text can be stored: composed, as texts are written now, and decomposed, as in older
 * rows.
 */
export const formsOf = (text: string): string[] => [
  ...new Set([text.normalize('NFC'), text.normalize('NFD')]),
];

export const isEither = (column: PgColumn, text: Argument<string>): SQL =>
  sql`${column} in (${text}, normalize(${text}::text, NFD))`;

/**
 * Searches for literal words in a lower-case text. The database converts the words, because JavaScript lowers `İ`
 * differently.
 */
export const contains = (text: SQL, words: string): SQL => {
  const patterns = formsOf(words).map((form) => sql`${text} like lower(${`%${literally(form)}%`})`);
  return sql`(${sql.join(patterns, sql` or `)})`;
};

const literally = (words: string) => words.replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`);

/**
 * Matches the ids of exact matches or, if there are none, of partial ones. Exact matches take one index look-up; a text
 * index has long lists for frequent parts.
 * @param named a query of ids, like `containing`
 */
export const searched = (named: SQL, containing: SQL) => sql`any (array(
  with named as materialized (${named})
  select * from named
  union all
  select * from (${containing}) found where not exists (select from named)))`;

/** The length from which a search uses a trigram index. */
export const trigramLength = 3;

/** Returns the id that a search may mean, or 0. */
export const asId = (words: string) => (/^[0-9]{1,15}$/.test(words) ? Number(words) : 0);

/** A list whose length is stored, or its rows of one status. */
type KeptTotal =
  | 'products'
  | 'access_grants'
  | `${'users' | 'licenses' | 'reminders' | 'confirmations' | 'payouts' | 'unexpected_payments' | 'bank_mutations' | 'messages'}:${string}`
  | `webhook_log:${number}:${string}`;

/** Counts matching rows, as `total`. If only `known` conditions are given, stored totals have the answer. */
export const countRows = <C extends Conditions>(
  kept: readonly KeptTotal[],
  table: PgTable,
  conditions: C,
  known: readonly (keyof C & string)[],
) =>
  givenBeside(known, conditions).length === 0
    ? keptTotal(kept)
    : build
        .select({ total: sql<string>`count(*)`.mapWith(Number) })
        .from(table)
        .where(allOf(conditions));

const keptTotal = (kept: readonly KeptTotal[]) =>
  build
    .select({ total: sql<string>`coalesce(sum(total), 0)`.mapWith(Number) })
    .from(sql`list_totals`)
    .where(sql`list in ${[...kept]}`);

/** Names the stored totals of a list's rows in one status, or in all. */
export const inStatuses = <L extends string, S extends string>(
  list: L,
  statuses: readonly S[],
  status: S | undefined,
): `${L}:${S}`[] => (status ? [status] : statuses).map((one): `${L}:${S}` => `${list}:${one}`);
