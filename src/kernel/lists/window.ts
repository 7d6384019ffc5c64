import type { Window } from '../database/filters.ts';
import type { Place } from './cursor.ts';
import { type PageQuery, perPageDefault } from './query.ts';

/** The rows to read: one more than the page, to see if others follow. */
export interface PageWindow extends Window {
  readonly limit: number;
  readonly offset: number;
  readonly after: number | undefined;
  readonly byChange: boolean;
  readonly changed: Place['changed'];
  /** True if the total is wanted, which a page by cursor doesn't have. */
  readonly counted: boolean;
}

export function pageWindow(query: PageQuery): PageWindow {
  const size = query.per_page ?? perPageDefault;
  const counted = query.cursor === undefined;
  return {
    limit: size + 1,
    offset: counted ? (query.offset ?? ((query.page ?? 1) - 1) * size) : 0,
    ascending: query.sort === 'id' || query.sort === 'updated_at',
    after: query.cursor?.id,
    byChange: query.sort === 'updated_at',
    changed: query.cursor?.changed,
    counted,
  };
}
