import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { pageOf, readPage } from '../../kernel/endpoint/pagination.ts';
import { listCommissions } from '../../queries/commissions.ts';
import { countCommissions } from '../../queries/commission-totals.ts';
import { toCommission } from '../../domain/commission/rules.ts';
import type { CommissionQuery } from '../../domain/commission/schemas.ts';

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
