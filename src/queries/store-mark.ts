import { sql } from 'drizzle-orm';
import { build, guard, raw } from '../kernel/database/statements.ts';
import type { Instant } from '../lib/instant.ts';
import { type Troubles, storeMark } from '../schema/store-mark.ts';

/** Returns no row until a command has marked the database. */
export const findStoreId = () => raw<{ store_id: string }>(sql`select store_id from store_mark`);

/** The time after which figures are checked again. It is shorter than the hourly cron's interval. */
const looked = sql`interval '50 minutes'`;

/** An SQL expression: true if the figures are due for a check. A database without a mark has no operator. */
export const isUnchecked = (now: Date) => sql`exists (select from ${storeMark}
  where checked_at is null or checked_at < ${now.toISOString()}::timestamptz - ${looked})`;

export const findTroubles = () =>
  build.select({ checked_at: storeMark.checked_at, troubles: storeMark.troubles }).from(storeMark);

/** Stores findings, unless another check came first. */
export const keepTroubles = (before: Instant | null, troubles: Troubles, now: Date) =>
  guard(
    build
      .update(storeMark)
      .set({ troubles, checked_at: now.toISOString() })
      .where(sql`${storeMark.checked_at} is not distinct from ${before}::timestamptz`)
      .returning({ id: storeMark.id }),
    'looked',
  );
