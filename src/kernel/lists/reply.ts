import { type Place, encodeCursor } from './cursor.ts';
import { type Instant, addSeconds } from '../../lib/instant.ts';
import { type PageQuery, perPageDefault } from './query.ts';

const pageAt = (offset: number, size: number) => Math.floor(offset / size) + 1;

/** Seconds until a change is visible to everybody: a request lasts ten at most, and there is some reserve. */
const unseen = 15;

type Changing = { readonly id: number; readonly updated_at: Instant };

/** Like `pageOf`, with the time from which to ask for further changes. */
export function pageOfChanges<T extends Changing>(
  query: PageQuery,
  rows: readonly T[],
  total: number | undefined,
  now: Date,
) {
  const began = query.cursor?.began ?? now.toISOString();
  const page = pageOf(query, rows, total, ({ id, updated_at }) => ({
    ...{ id, began },
    changed: query.sort === 'updated_at' ? updated_at : undefined,
  }));
  const next_updated_since = addSeconds(began, -unseen);
  return { ...page, meta: { ...page.meta, next_updated_since } };
}

/**
 * Builds the body of a page.
 * @param total the number of matches, if the window asks for it
 * @param placeOf the place after a row
 */
export function pageOf<T extends { id: number }>(
  query: PageQuery,
  rows: readonly T[],
  total: number | undefined,
  placeOf: (row: T) => Place = ({ id }) => ({ id }),
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
      next_cursor: rows.length > size && last ? encodeCursor(placeOf(last)) : null,
    },
  };
}
