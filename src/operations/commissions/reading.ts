import type { ReadAccess } from '../../kernel/endpoint/endpoint.ts';
import { readList } from '../../kernel/endpoint/pagination.ts';
import { listCommissions } from '../../queries/commissions.ts';
import { countCommissions } from '../../queries/commission-totals.ts';
import { toCommission } from '../../domain/commission/rules.ts';
import type { CommissionQuery } from '../../domain/commission/schemas.ts';

/** A page of the ledger, read in one trip. */
export async function readCommissions(db: ReadAccess, query: CommissionQuery, now: Date) {
  const asked = { ...query, per_page: query.limit ?? query.per_page };
  return readList(db, asked, {
    list: listCommissions,
    count: countCommissions,
    show: (row) => toCommission(row, now),
  });
}
