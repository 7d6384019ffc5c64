import { type SQL, eq, sql } from 'drizzle-orm';
import { build, raw } from '../kernel/database/statements.ts';
import type { Instant } from '../lib/instant.ts';
import { mutationSources } from '../schema/bank-mutations.ts';
import { waitsPlainly } from '../schema/orders.ts';
import { atLeisure, never } from './due.ts';

/** Rounds a time down to the hour. A source is asked once an hour at most. */
const hourOf = (now: Date) => sql`${`${now.toISOString().slice(0, 13)}:00:00Z`}::timestamptz`;

/**
 * The time of the next request to a source: the scheduler's next look, while an order waits for a transfer or a list is
 * unfinished.
 */
export const nextAsking = (sources: readonly string[], now: Date): SQL =>
  sources.length === 0
    ? never
    : atLeisure(sql`(exists (select from payable_claims where held_until is null)
        or exists (select from orders where ${waitsPlainly})
        or exists (select from mutation_sources where next_page is not null))
      and (select count(*) from mutation_sources
            where source in ${[...sources]} and asked_at >= ${hourOf(now)}) < ${sources.length}`);

/**
 * Records that a source is being asked. Returns the time up to which it is known completely, or no row if it was
 * already asked in this hour.
 */
export const takeAsking = (source: string, now: Date) =>
  raw<{ listed_until: string | null; next_page: number | null }>(sql`
    insert into mutation_sources as s (source, asked_at) values (${source}, ${now.toISOString()})
    on conflict (source) do update set asked_at = excluded.asked_at, next_page = null
     where s.asked_at < ${hourOf(now)}
    returning listed_until,
      (select next_page from mutation_sources before where before.source = s.source)`);

/** Makes a source due at once, beginning at a page of its list. */
export const goOnListing = (source: string, page: number, now: Date) =>
  build
    .update(mutationSources)
    .set({ next_page: page, asked_at: sql`${hourOf(now)} - interval '1 hour'` })
    .where(eq(mutationSources.source, source));

/** Records the time up to which a source is known completely. */
export const saveListed = (source: string, until: Instant) =>
  build
    .update(mutationSources)
    .set({ listed_until: until, next_page: null })
    .where(eq(mutationSources.source, source));
