import { type SQL, sql } from 'drizzle-orm';
import { raw } from '../database/statements.ts';
import type { DomainEvent } from './define.ts';

/** Patterns of webhooks that match an event: its name, `<resource>.*` and `*`. */
export const patternsFor = (name: string): string[] => {
  const dot = name.indexOf('.');
  return [name, ...(dot > 0 ? [`${name.slice(0, dot)}.*`] : []), '*'];
};

/**
 * An SQL expression that writes events into the outbox, one row for each subscribed webhook. True if any row can be
 * delivered at once; rows of a paused webhook wait.
 */
export function publishEvents(events: readonly DomainEvent[], now: Date): SQL<boolean> {
  const rows = events.map(({ id, name, data, webhook }) => ({
    event_id: id,
    event: name,
    object_id: data.id,
    data,
    patterns: patternsFor(name),
    webhook_id: webhook ?? null,
  }));
  return sql`svc_publish_events(${JSON.stringify(rows)}::jsonb, ${now.toISOString()}::timestamptz)`;
}

/**
 * Makes an SQL expression that writes the rows that events cause besides deliveries. It is true if any of their work
 * can be done at once; undefined if there are no rows.
 */
export type Following = (
  events: readonly DomainEvent[],
  now: Date,
) => Promise<SQL<boolean> | undefined>;

export const insertEvents = (
  events: readonly DomainEvent[],
  following: SQL<boolean> | undefined,
  now: Date,
) =>
  raw<{ due: boolean; followed: boolean }>(
    sql`select ${publishEvents(events, now)} as due, ${following ?? sql`false`} as followed`,
  );
