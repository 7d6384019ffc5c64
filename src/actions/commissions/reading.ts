import type { ReadAccess } from '../../kernel/command/store.ts';
import { preparedList } from '../../kernel/lists/prepared.ts';
import { readChanges } from '../../kernel/lists/read.ts';
import { listCommissions } from '../../queries/commissions.ts';
import { countCommissions } from '../../queries/commission-totals.ts';
import { toCommission } from '../../domain/commission/rules.ts';
import type { CommissionQuery } from '../../domain/commission/schemas.ts';

const list = preparedList({ list: listCommissions, count: countCommissions }, [
  {},
  { affiliate_id: 'bigint' },
  { order_id: 'bigint' },
]);

export async function readCommissions(
  db: ReadAccess,
  { limit, ...query }: CommissionQuery,
  now: Date,
) {
  const asked = { ...query, per_page: limit ?? query.per_page };
  return readChanges(db, asked, { ...list, show: (row) => toCommission(row, now) }, now);
}
