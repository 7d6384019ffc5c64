import type { ReadAccess } from '../../http/endpoint.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { countLicenses, listLicenses } from './queries.ts';
import { forList, toLicense } from './rules.ts';
import type { LicenseQuery } from './schemas.ts';

/** A page of licences as they are at a moment, in one trip. */
export async function readLicenses(db: ReadAccess, query: LicenseQuery, now: Date) {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listLicenses(query, window),
    () => countLicenses(query),
  );
  return pageOf(
    query,
    rows.map((row) => forList(toLicense(row, now), query.reveal)),
    total,
  );
}
