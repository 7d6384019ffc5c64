import { type SQL, eq, sql } from 'drizzle-orm';
import { build, raw } from '../kernel/database/statements.ts';
import type { Instant } from '../lib/instant.ts';
import { mutationSources } from '../schema/bank-mutations.ts';
import { waitsPlainly } from '../schema/orders.ts';
import { atLeisure, never } from './due.ts';

/** The hour of a moment: in each, a source is asked once at most. */
const hourOf = (now: Date) => sql`${`${now.toISOString().slice(0, 13)}:00:00Z`}::timestamptz`;

/**
 * The time to ask one of the sources: with the next look of the scheduler, while an order waits for a transfer or a
 * list was begun.
 */
export const nextAsking = (sources: readonly string[], now: Date): SQL =>
  sources.length === 0
    ? never
    : atLeisure(sql`(exists (select from payable_claims where held_until is null)
        or exists (select from orders where ${waitsPlainly})
        or exists (select from mutation_sources where next_page is not null))
      and (select count(*) from mutation_sources
            where source in ${[...sources]} and asked_at >= ${hourOf(now)}) < ${sources.length}`);

/** Notes that a source is asked now; answers until when all is known of it, and no row where it was asked in this hour. */
export const takeAsking = (source: string, now: Date) =>
  raw<{ listed_until: string | null; next_page: number | null }>(sql`
    insert into mutation_sources as s (source, asked_at) values (${source}, ${now.toISOString()})
    on conflict (source) do update set asked_at = excluded.asked_at, next_page = null
     where s.asked_at < ${hourOf(now)}
    returning listed_until,
      (select next_page from mutation_sources before where before.source = s.source)`);

/** Makes a source due at once, from a page of its list. */
export const goOnListing = (source: string, page: number, now: Date) =>
  build
    .update(mutationSources)
    .set({ next_page: page, asked_at: sql`${hourOf(now)} - interval '1 hour'` })
    .where(eq(mutationSources.source, source));

/** Notes until when all is known of a source. */
export const saveListed = (source: string, until: Instant) =>
  build
    .update(mutationSources)
    .set({ listed_until: until, next_page: null })
    .where(eq(mutationSources.source, source));
