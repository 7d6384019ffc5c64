import { type SQL, and, eq, gt, gte, lt, lte, sql } from 'drizzle-orm';
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core';
import type { LicenseStatus } from '../lib/statuses.ts';
import { listTotals } from './schema/rollups.ts';
import { build } from './statements.ts';

/** Which rows of a list a page reads. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
  readonly ascending: boolean;
  readonly after: number | undefined;
}

/** Cuts a list, ordered by id, to a window. The filters are part of it, so that `after` joins them. */
export function paged<T extends PgSelect>(
  select: T,
  id: PgColumn,
  filters: readonly (SQL | undefined)[],
  { limit, offset, ascending, after }: Window,
): T {
  const beyond = after === undefined ? undefined : ascending ? gt(id, after) : lt(id, after);
  return select
    .where(and(...filters, beyond))
    .orderBy(ascending ? id : sql`${id} desc`)
    .limit(limit)
    .offset(offset);
}

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

/** From this length on a search looks at any part of the text, through a trigram index. */
export const trigramLength = 3;

/** Whether the words of a short search can be an id. */
export const asId = (words: string) => (/^[0-9]{1,15}$/.test(words) ? Number(words) : 0);

/**
 * The number of rows that match, as `total`. Where no filter is given beyond `always`, the list's
 * kept total says it and nothing is counted.
 */
export function countRows(
  list: 'users' | 'products' | 'access_grants' | 'licenses' | `licenses:${LicenseStatus}`,
  table: PgTable,
  filters: readonly (SQL | undefined)[],
  always: readonly SQL[],
) {
  const filtered = filters.filter((filter) => filter !== undefined).length > always.length;
  return filtered
    ? build
        .select({ total: sql<string>`count(*)`.mapWith(Number) })
        .from(table)
        .where(and(...filters))
    : build
        .select({ total: sql<string>`coalesce(sum(${listTotals.total}), 0)`.mapWith(Number) })
        .from(listTotals)
        .where(eq(listTotals.list, list));
}
