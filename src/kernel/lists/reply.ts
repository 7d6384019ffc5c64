import { encodeCursor } from './cursor.ts';
import { type PageQuery, perPageDefault } from './query.ts';

/** The number of the page that contains a record. */
const pageAt = (offset: number, size: number) => Math.floor(offset / size) + 1;

/**
 * Builds a page's body from the rows of its window.
 * @param total the number of matches, if the window asks for it
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
