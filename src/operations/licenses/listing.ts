import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { readList } from '../../kernel/endpoint/pagination.ts';
import { countLicenses, listLicenses } from '../../queries/licenses.ts';
import { forList, toLicense } from '../../domain/license/rules.ts';
import type { LicenseQuery } from '../../domain/license/schemas.ts';

/** A page of licences as they are at a moment, in one trip. */
export const readLicenses = (db: ReadAccess, query: LicenseQuery, now: Date) =>
  readList(db, query, {
    list: listLicenses,
    count: countLicenses,
    show: (row) => forList(toLicense(row, now), query.reveal),
  });
