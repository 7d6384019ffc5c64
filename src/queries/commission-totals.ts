import { and, inArray, sql } from 'drizzle-orm';
import { allOf } from '../kernel/database/filters.ts';
import { rolledUp } from './rollups.ts';
import { commissionRollups, commissions, type rolledStatuses } from '../schema/commissions.ts';
import { build } from '../kernel/database/statements.ts';
import { type ListedBy, commissionFilters } from './commissions.ts';
import type { CommissionFilters } from '../domain/commission/schemas.ts';

type Rolled = (typeof rolledStatuses)[number];

/** Rolled-up statuses for each filter. */
const rolledBy: Record<NonNullable<CommissionFilters['status']>, Rolled[]> = {
  pending: ['pending'],
  added: ['unpaid', 'paid'],
  unpaid: ['unpaid'],
  paid: ['paid'],
  cancelled: ['cancelled'],
};

/** Counts matching commissions, as `total`. Uses the rollups if they cover every condition, otherwise the rows. */
export function countCommissions(query: ListedBy) {
  const conditions = commissionFilters(query);
  const rollup = rolledUp(commissionRollups, conditions, query);
  if (!rollup) {
    return build
      .select({ total: sql<string>`count(*)`.mapWith(Number) })
      .from(commissions)
      .where(allOf(conditions));
  }
  return build
    .select({
      total: sql<string>`coalesce(sum(${commissionRollups.commissions}), 0)`.mapWith(Number),
    })
    .from(commissionRollups)
    .where(and(rollup, query.status && inArray(commissionRollups.status, rolledBy[query.status])));
}
