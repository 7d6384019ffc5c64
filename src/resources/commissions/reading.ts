import type { ReadAccess } from '../../http/endpoint.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { listCommissions } from './queries.ts';
import { countCommissions } from './queries-rollups.ts';
import { toCommission } from './rules.ts';
import type { CommissionQuery } from './schemas.ts';

/** A page of the ledger, read in one trip. */
export async function readCommissions(db: ReadAccess, query: CommissionQuery, now: Date) {
  const asked = { ...query, per_page: query.limit ?? query.per_page };
  const { rows, total } = await readPage(
    db,
    asked,
    (window) => listCommissions(query, window),
    () => countCommissions(query),
  );
  return pageOf(
    asked,
    rows.map((row) => toCommission(row, now)),
    total,
  );
}
