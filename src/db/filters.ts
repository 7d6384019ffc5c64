import { type SQL, and, asc, desc, gt, gte, inArray, lt, lte, sql } from 'drizzle-orm';
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core';
import { listTotals } from './schema/rollups.ts';
import { build } from './statements.ts';

/** Which rows of a list a page reads. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
  readonly ascending: boolean;
  readonly after: number | undefined;
}

/**
 * Cuts a list, ordered by id, to a window. The filters are part of it, so that `after` joins them.
 * @param time orders it by this column before the id, which says nearly the same: for a list that is
 *   filtered by it, so that an index leads to the page wherever in time it lies
 */
export function paged<T extends PgSelect>(
  select: T,
  id: PgColumn,
  filters: readonly (SQL | undefined)[],
  { limit, offset, ascending, after }: Window,
  time?: PgColumn,
): T {
  const keys = time ? [time, id] : [id];
  return select
    .where(and(...filters, beyond(id, time, ascending, after)))
    .orderBy(...keys.map((key) => (ascending ? asc(key) : desc(key))))
    .limit(limit)
    .offset(offset);
}

/** The rows that come after one that was read; should it be erased by now, after its neighbour. */
function beyond(
  id: PgColumn,
  time: PgColumn | undefined,
  ascending: boolean,
  after: number | undefined,
): SQL | undefined {
  if (after === undefined) return undefined;
  if (!time) return ascending ? gt(id, after) : lt(id, after);
  const last = sql`((select ${time} from ${id.table} where ${id} <= ${after}
    order by ${id} desc limit 1), ${after}::bigint)`;
  return ascending ? sql`(${time}, ${id}) > ${last}` : sql`(${time}, ${id}) < ${last}`;
}

/** Whether a list is filtered by time. */
export const isDated = ({
  date_start,
  date_end,
}: {
  date_start?: string | undefined;
  date_end?: string | undefined;
}) => date_start !== undefined || date_end !== undefined;

/** Rows from a date or instant on, days taken in the store's time zone. */
export const since = (column: PgColumn, value: string | undefined) =>
  value === undefined ? undefined : gte(column, sql`(select svc_day(${value}, false))`);

/** Rows up to an instant, or to the end of a day in the store's time zone. */
export const until = (column: PgColumn, value: string | undefined) => {
  if (value === undefined) return undefined;
  const bound = sql`(select svc_day(${value}, true))`;
  return value.length > 10 ? sql`${column} <= ${bound}` : lt(column, bound);
};

/** Rolled-up rows of whole days: `day` counts them from 2000-01-01, a date that is absent is no limit. */
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
 * A LIKE pattern for lower case text that contains `words`, taken literally. The database makes them
 * lower case as it did the text: `İ` becomes another letter here than there.
 */
export const containing = (words: string) =>
  sql`lower(${`%${words.replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`})`;

/**
 * The ids that a search finds: those of what it names in full, else of what contains it. The first is
 * one look into an index; a text index has a long list of every part that many rows share.
 * @param named a query of ids, as `containing` is
 */
export const searched = (named: SQL, containing: SQL) => sql`any (array(
  with named as materialized (${named})
  select * from named
  union all
  select * from (${containing}) found where not exists (select from named)))`;

/** From this length on a search looks at any part of the text, through a trigram index. */
export const trigramLength = 3;

/** Whether the words of a short search can be an id. */
export const asId = (words: string) => (/^[0-9]{1,15}$/.test(words) ? Number(words) : 0);

/** A list, or its rows of one status, whose total is kept. */
type KeptTotal =
  | 'products'
  | 'access_grants'
  | `${'users' | 'licenses' | 'reminders' | 'confirmations' | 'payouts'}:${string}`
  | `webhook_log:${number}:${string}`;

/**
 * The number of rows that match, as `total`. Where no filter is given beyond `always`, the kept totals
 * say it and nothing is counted.
 */
export function countRows(
  kept: readonly KeptTotal[],
  table: PgTable,
  filters: readonly (SQL | undefined)[],
  always: readonly (SQL | undefined)[] = [],
) {
  const given = (conditions: readonly (SQL | undefined)[]) =>
    conditions.filter((condition) => condition !== undefined).length;
  return given(filters) > given(always)
    ? build
        .select({ total: sql<string>`count(*)`.mapWith(Number) })
        .from(table)
        .where(and(...filters))
    : keptTotal(kept);
}

/** The sum of kept totals, as `total`. */
export const keptTotal = (kept: readonly KeptTotal[]) =>
  build
    .select({ total: sql<string>`coalesce(sum(${listTotals.total}), 0)`.mapWith(Number) })
    .from(listTotals)
    .where(inArray(listTotals.list, [...kept]));

/** The kept totals of a list's rows in one status, or in each. */
export const inStatuses = <L extends string, S extends string>(
  list: L,
  statuses: readonly S[],
  status: S | undefined,
): `${L}:${S}`[] => (status ? [status] : statuses).map((one): `${L}:${S}` => `${list}:${one}`);
