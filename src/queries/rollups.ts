import { type SQL, and, eq } from 'drizzle-orm';
import { type Conditions, givenBeside, withinDays } from '../kernel/database/filters.ts';
import type { Argument } from '../kernel/database/statements.ts';
import type { commissionRollups } from '../schema/commissions.ts';
import type { orderRollups } from '../schema/rollups.ts';

/** Filters that every row of a rollup meets, or that its status decides. */
const ofStatus = ['present', 'status', 'status_group'];
const ofDays = ['date_start', 'date_end'];

interface RolledFilters {
  readonly product_id?: number | undefined;
  readonly affiliate_id?: Argument<number> | undefined;
  readonly date_start?: string | undefined;
  readonly date_end?: string | undefined;
}

/**
 * The rows of a rollup for a list, whatever the status: the store's, or those of one product, one affiliate or whole
 * days. Undefined for any other condition, and for several of these: then only the list's rows can be counted.
 */
export function rolledUp(
  rollup: typeof orderRollups | typeof commissionRollups,
  conditions: Conditions,
  { product_id, affiliate_id, date_start, date_end }: RolledFilters,
): SQL | undefined {
  const rows = (dimension: 'store' | 'day' | 'product' | 'affiliate', key: SQL | undefined) =>
    and(eq(rollup.dimension, dimension), key);
  const given = givenBeside(ofStatus, conditions);
  if (given.length === 0) return rows('store', eq(rollup.key, 0));
  if (given.every((name) => ofDays.includes(name))) {
    const whole = [date_start, date_end].every((date) => date === undefined || date.length === 10);
    return whole ? rows('day', withinDays(rollup.key, date_start, date_end)) : undefined;
  }
  if (given.length > 1) return undefined;
  if (given[0] === 'product_id') return rows('product', eq(rollup.key, product_id ?? 0));
  if (given[0] === 'affiliate_id') return rows('affiliate', eq(rollup.key, affiliate_id ?? 0));
  return undefined;
}
