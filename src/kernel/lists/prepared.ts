import { type SQL, sql } from 'drizzle-orm';
import type { Window } from '../database/filters.ts';
import {
  type ParameterType,
  type Parameters,
  type PreparedCall,
  prepared,
} from '../database/prepared.ts';
import { type Statement, sendIf } from '../database/statements.ts';

export interface ListStatements<Q, S extends Statement> {
  readonly list: (query: Q, window: Window) => S;
  readonly count: (query: Q) => Statement;
}

/** Filters that may be parameters. */
type Preparable<Q> = { [K in keyof Q & string]: SQL extends Q[K] ? K : never }[keyof Q & string];

type PageStatements<S extends Statement> = { readonly $rows: S; readonly $count: Statement };

export interface PreparedPage<S extends Statement> {
  readonly names: readonly string[];
  /** The index of the page within the trip. */
  readonly place: number;
  readonly read: (values: never) => PreparedCall<Record<string, PageStatements<S>>>;
}

/** The types of filters that are given together. */
type Filters = Readonly<Record<string, ParameterType>>;

const windowParameters = {
  limit: 'bigint',
  offset: 'bigint',
  after: 'bigint?',
  counted: 'boolean',
} as const;

/**
 * Prepares a list for its most frequent filters, newest first.
 * @param trips combinations of filters for each trip, which reads a page with exactly one of these
 */
export function preparedList<Q extends object, S extends Statement>(
  statements: ListStatements<Q, S>,
  ...trips: readonly Partial<Record<Preparable<Q>, ParameterType>>[][]
): ListStatements<Q, S> & { readonly pages: readonly PreparedPage<S>[] } {
  const pages = trips.flatMap((filters) => preparedPages(statements, filters as Filters[]));
  return { ...statements, pages };
}

/** Makes pages that share a trip. Only the statements of the requested page are sent. */
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
        // Exactly these filters are given.
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
