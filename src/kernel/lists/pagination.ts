import * as z from 'zod';
import { type SQL, sql } from 'drizzle-orm';
import type { Window } from '../database/filters.ts';
import {
  type ParameterType,
  type Parameters,
  type PreparedCall,
  prepared,
} from '../database/prepared.ts';
import {
  type Result,
  type Results,
  type Statement,
  type Statements,
  sendIf,
} from '../database/statements.ts';
import type { ReadAccess } from '../command/store.ts';
import { queryInteger } from '../schemas/parameters.ts';

/** The largest page; a larger `per_page` is cut to it. */
const perPageMaximum = 100;
const perPageDefault = 25;

const encodeCursor = (id: number) => btoa(`id:${id}`).replace(/=+$/, '');

const Cursor = z
  .string()
  .transform((text, context) => {
    const id = /^id:([0-9]{1,15})$/.exec(decodeBase64(text))?.[1];
    if (id !== undefined) return Number(id);
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    description: '`meta.next_cursor` of the previous page; replaces `page`.',
  });

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return '';
  }
}

export const sortOrders = ['id', '-id'] as const;

/** The query parameters of every list in pages. */
export const pageParameters = {
  page: queryInteger({ min: 1, max: 1_000_000 })
    .optional()
    .describe(
      'Page number, starting from 1. Prefer `cursor`, which is equally fast on every page.',
    ),
  per_page: queryInteger({ min: 1 })
    .transform((n) => Math.min(n, perPageMaximum))
    .optional()
    .describe(`Records per page, ${perPageDefault} by default, ${perPageMaximum} at most.`),
  cursor: Cursor.optional(),
  sort: z
    .enum(sortOrders)
    .optional()
    .describe('`-id` (default) is newest first, `id` oldest first.'),
};

/** What asks for one page of a list, or for a part of it in another way. */
export const windowParameterNames: readonly string[] = [
  'page',
  'per_page',
  'cursor',
  'limit',
  'offset',
];

/** The conditions of a list: one for each filter that its query takes, and what narrows it besides. */
export type ConditionsFor<Query, Besides extends string = never> = Readonly<
  Record<Exclude<keyof Query, keyof typeof pageParameters> | Besides, SQL | undefined>
>;

type PageQuery = {
  page?: number | undefined;
  /** Records to skip, on lists that know it from before; comes before `page`. */
  offset?: number | undefined;
  per_page?: number | undefined;
  cursor?: number | undefined;
  sort?: (typeof sortOrders)[number] | undefined;
};

/** Which rows of a list to read: one more than the page holds, to know whether there are others. */
export interface PageWindow extends Window {
  readonly limit: number;
  readonly offset: number;
  readonly after: number | undefined;
  /** Whether the total is wanted: a page by cursor has none. */
  readonly counted: boolean;
}

/** The window of the page that a query asks for. */
export function pageWindow(query: PageQuery): PageWindow {
  const size = query.per_page ?? perPageDefault;
  const counted = query.cursor === undefined;
  return {
    limit: size + 1,
    offset: counted ? (query.offset ?? ((query.page ?? 1) - 1) * size) : 0,
    ascending: query.sort === 'id',
    after: query.cursor,
    counted,
  };
}

/** Reads a page in one trip, with the number of all matches where the window wants it. */
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

/** The statements of a list in pages. */
interface ListStatements<Q, S extends Statement> {
  readonly list: (query: Q, window: Window) => S;
  /** The number of all matches, as `total`. */
  readonly count: (query: Q) => Statement;
}

/** What a list in pages is made of: its statements, those that are prepared, and a row as it is shown. */
interface List<Q, S extends Statement, T> extends ListStatements<Q, S> {
  readonly pages?: readonly PreparedPage<S>[];
  readonly show: (row: RowOf<S>) => T;
}

/** The filters of a list that may be parameters. */
type Preparable<Q> = { [K in keyof Q & string]: SQL extends Q[K] ? K : never }[keyof Q & string];

/** The statements of a page. */
type PageStatements<S extends Statement> = { readonly $rows: S; readonly $count: Statement };

/** A page of a list that a trip is prepared for. */
interface PreparedPage<S extends Statement> {
  /** The filters that are given. */
  readonly names: readonly string[];
  /** The place of the page among those of the trip. */
  readonly place: number;
  readonly read: (values: never) => PreparedCall<Record<string, PageStatements<S>>>;
}

/** Filters that are given together, each with its type. */
type Filters = Readonly<Record<string, ParameterType>>;

const windowParameters = {
  limit: 'bigint',
  offset: 'bigint',
  after: 'bigint?',
  counted: 'boolean',
} as const;

/**
 * Prepares a list for what it is mostly asked with, newest first.
 * @param trips filters that are given together, by the trip that reads the page with just these
 */
export function preparedList<Q extends object, S extends Statement>(
  statements: ListStatements<Q, S>,
  ...trips: readonly Partial<Record<Preparable<Q>, ParameterType>>[][]
): ListStatements<Q, S> & { readonly pages: readonly PreparedPage<S>[] } {
  const pages = trips.flatMap((filters) => preparedPages(statements, filters as Filters[]));
  return { ...statements, pages };
}

/** The pages that one trip reads, each with other filters: of their statements it sends those of one page. */
function preparedPages<Q extends object, S extends Statement>(
  { list, count }: ListStatements<Q, S>,
  pages: readonly Filters[],
): PreparedPage<S>[] {
  const filters = pages.flatMap((names) => Object.entries(names));
  const optional = filters.map(([name, type]) => [name, `${type}?`]);
  const read = prepared(
    { ...(Object.fromEntries(optional) as Parameters), ...windowParameters, place: 'bigint' },
    ({ limit, offset, after, counted, place, ...bound }) => {
      const window = { limit, offset, after, ascending: false };
      const page = (names: Filters, at: number): PageStatements<S> => {
        // These filters, and no others.
        const given = Object.entries(bound).filter(([name]) => name in names);
        const query = Object.fromEntries(given) as Q;
        const isAsked = sql`${place} = ${at}`;
        return {
          $rows: sendIf(isAsked, () => list(query, window)),
          $count: sendIf(sql`${isAsked} and ${counted}`, () => count(query)),
        };
      };
      return Object.fromEntries(pages.map((names, at) => [at, page(names, at)]));
    },
  );
  return pages.map((names, place) => ({ names: Object.keys(names), place, read }));
}

/** The body of a list's page, read in one trip. */
export async function readList<Q extends PageQuery, S extends Statement, T extends { id: number }>(
  db: ReadAccess,
  query: Q,
  list: List<Q, S, T>,
) {
  const { rows, total } = await readRows(db, query, list);
  const shown = (rows as RowOf<S>[]).map((row) => list.show(row));
  return pageOf(query, shown, total);
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
  // Which filters are given was compared with the parameters.
  const { [place]: found } = await db.query(read({ ...query, ...window, place } as never));
  const [counted] = (found?.$count ?? []) as { total: number }[];
  return { rows: found?.$rows, total: counted?.total };
}

/** The prepared page for just the filters that a query gives. */
function pageFor<S extends Statement>(query: PageQuery, pages: readonly PreparedPage<S>[]) {
  const { page: _, per_page: __, cursor: ___, sort: ____, ...filters } = query;
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  return pages.find(
    ({ names }) => names.length === given.length && names.every((name) => given.includes(name)),
  );
}

/** The number of the page that a record is on. */
const pageAt = (offset: number, size: number) => Math.floor(offset / size) + 1;

/**
 * A page's body from the rows its window read.
 * @param total the number of matches, where the window asks for it.
 */
export function pageOf<T extends { id: number }>(
  query: PageQuery,
  rows: readonly T[],
  total: number | undefined,
) {
  const size = query.per_page ?? perPageDefault;
  const data = rows.slice(0, size);
  const last = data.at(-1);
  return {
    success: true as const,
    data,
    meta: {
      ...(total !== undefined && {
        pagination: {
          page: query.offset === undefined ? (query.page ?? 1) : pageAt(query.offset, size),
          per_page: size,
          total,
          total_pages: Math.ceil(total / size),
        },
      }),
      next_cursor: rows.length > size && last ? encodeCursor(last.id) : null,
    },
  };
}
