import type { Source } from './source.ts';
import type { Staging } from './staging.ts';
import { idOf } from './values.ts';

/** The valid ids in a query's column `id`. */
export function idsOf({ database }: Staging<Source>, query: string): Set<number> {
  const ids = new Set<number>();
  for (const row of database.prepare(query).iterate()) {
    const id = idOf(row['id'] === null ? null : String(row['id']));
    if (id !== null) ids.add(id);
  }
  return ids;
}
