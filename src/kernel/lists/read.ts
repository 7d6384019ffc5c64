import type { ReadAccess } from '../command/store.ts';
import type { Result, Results, Statement, Statements } from '../database/statements.ts';
import type { ListStatements, PreparedPage } from './prepared.ts';
import type { PageQuery } from './query.ts';
import { kernelError } from '../errors/errors.ts';
import { notACursor } from './cursor.ts';
import { pageOf, pageOfChanges } from './reply.ts';
import { type PageWindow, pageWindow } from './window.ts';

/** Reads a page in one trip, with the number of all matches if the window wants it. */
export async function readPage<R extends Statement, S extends Statements = Record<never, never>>(
  db: ReadAccess,
  query: PageQuery,
  list: (window: PageWindow) => R,
  count: () => Statement,
  beside?: S,
): Promise<{ rows: Result<R>; total: number | undefined } & Results<S>> {
  const window = pageWindow(query);
  const { $rows, $count, ...others } = await db.query({
    $rows: list(window),
    ...(window.counted && { $count: count() }),
    ...beside,
  });
  const [counted] = ($count ?? []) as { total: number }[];
  return { ...(others as Results<S>), rows: $rows, total: counted?.total };
}

type RowOf<S extends Statement> = Result<S> extends readonly (infer Row)[] ? Row : never;

/** The statements of a list, its prepared pages, and the public form of a row. */
interface List<Q, S extends Statement, T> extends ListStatements<Q, S> {
  readonly pages?: readonly PreparedPage<S>[];
  readonly show: (row: RowOf<S>) => T;
}

/** Reads the body of a list's page in one trip. */
export async function readList<Q extends PageQuery, S extends Statement, T extends { id: number }>(
  db: ReadAccess,
  query: Q,
  list: List<Q, S, T>,
) {
  const { rows, total } = await readRows(db, query, list);
  const shown = (rows as RowOf<S>[]).map((row) => list.show(row));
  return pageOf(query, shown, total);
}

/** Like `readList`, for a list that shows changes. */
export async function readChanges<
  Q extends PageQuery,
  S extends Statement,
  T extends { id: number; updated_at: string },
>(db: ReadAccess, query: Q, list: List<Q, S, T>, now: Date) {
  const { cursor, sort } = query;
  if (cursor && (cursor.changed !== undefined) !== (sort === 'updated_at')) {
    throw kernelError('rest_invalid_param', { params: { cursor: notACursor } });
  }
  const { rows, total } = await readRows(db, query, list);
  const shown = (rows as RowOf<S>[]).map((row) => list.show(row));
  return pageOfChanges(query, shown, total, now);
}

async function readRows<Q extends PageQuery, S extends Statement, T>(
  db: ReadAccess,
  query: Q,
  list: List<Q, S, T>,
) {
  const window = pageWindow(query);
  const page = window.ascending ? undefined : pageFor(query, list.pages ?? []);
  if (!page) {
    return readPage(
      db,
      query,
      () => list.list(query, window),
      () => list.count(query),
    );
  }
  const { place, read } = page;
  // The page has exactly the filters of the query, so the type is right.
  const { [place]: found } = await db.query(read({ ...query, ...window, place } as never));
  const [counted] = (found?.$count ?? []) as { total: number }[];
  return { rows: found?.$rows, total: counted?.total };
}

/** Returns the prepared page with exactly these filters. */
function pageFor<S extends Statement>(query: PageQuery, pages: readonly PreparedPage<S>[]) {
  const { page: _, per_page: __, cursor: ___, sort: ____, ...filters } = query;
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  return pages.find(
    ({ names }) => names.length === given.length && names.every((name) => given.includes(name)),
  );
}
