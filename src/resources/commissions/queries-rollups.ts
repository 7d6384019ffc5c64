import { and, inArray, sql } from 'drizzle-orm';
import { allOf } from '../../db/filters.ts';
import { rolledUp } from '../../db/rollups.ts';
import {
  commissionRollups,
  commissions,
  type rolledStatuses,
} from '../../db/schema/commissions.ts';
import { build } from '../../db/statements.ts';
import { commissionFilters } from './queries.ts';
import type { CommissionFilters } from './schemas.ts';

type Rolled = (typeof rolledStatuses)[number];

/** The rolled-up statuses that a filter by status covers. */
const rolledBy: Record<NonNullable<CommissionFilters['status']>, Rolled[]> = {
  pending: ['pending'],
  added: ['unpaid', 'paid'],
  unpaid: ['unpaid'],
  paid: ['paid'],
  cancelled: ['cancelled'],
};

/**
 * How many commissions match, as `total`: from the rollups where they know every condition, else
 * counted.
 */
export function countCommissions(query: CommissionFilters) {
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
