import { type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import { withinDays } from '../../db/filters.ts';
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
 * How many commissions match, as `total`: from the rollups where they know it (status alone or with
 * one of product, affiliate and whole days), else counted.
 */
export function countCommissions(query: CommissionFilters) {
  const rollup = rollupOf(query);
  if (!rollup) {
    return build
      .select({ total: sql<string>`count(*)`.mapWith(Number) })
      .from(commissions)
      .where(and(...commissionFilters(query)));
  }
  return build
    .select({
      total: sql<string>`coalesce(sum(${commissionRollups.commissions}), 0)`.mapWith(Number),
    })
    .from(commissionRollups)
    .where(and(rollup, query.status && inArray(commissionRollups.status, rolledBy[query.status])));
}

/** The rows of the rollups that cover the filters, status aside; undefined where none do. */
function rollupOf(query: CommissionFilters): SQL | undefined {
  const { affiliate_id, product_id, order_id, date_start, date_end } = query;
  const dates = [date_start, date_end].filter((date) => date !== undefined);
  const given = [product_id, affiliate_id].filter((id) => id !== undefined).length;
  if (order_id !== undefined || given + Number(dates.length > 0) > 1) return undefined;
  if (product_id !== undefined) return of('product', eq(commissionRollups.key, product_id));
  if (affiliate_id !== undefined) return of('affiliate', eq(commissionRollups.key, affiliate_id));
  if (dates.length === 0) return of('store', eq(commissionRollups.key, 0));
  if (dates.some((date) => date.length > 10)) return undefined;
  return of('day', withinDays(commissionRollups.key, date_start, date_end));
}

const of = (
  dimension: (typeof commissionRollups.dimension.enumValues)[number],
  key: SQL | undefined,
) => and(eq(commissionRollups.dimension, dimension), key);
