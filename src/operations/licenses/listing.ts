import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { pageOf, readPage } from '../../kernel/endpoint/pagination.ts';
import { countLicenses, listLicenses } from '../../queries/licenses.ts';
import { forList, toLicense } from '../../domain/license/rules.ts';
import type { LicenseQuery } from '../../domain/license/schemas.ts';

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
