import { sql } from 'drizzle-orm';
import { raw } from '../db/statements.ts';
import type { DomainEvent } from './define.ts';

/** The patterns of webhooks that want an event: its name, `<resource>.*` and `*`. */
export const patternsFor = (name: string): string[] => {
  const dot = name.indexOf('.');
  return [name, ...(dot > 0 ? [`${name.slice(0, dot)}.*`] : []), '*'];
};

/**
 * Writes events into the outbox, one row for each webhook that wants one; those of a paused webhook
 * wait. Answers whether any of the rows can be delivered at once.
 */
export const insertEvents = (events: readonly DomainEvent[], now: Date) =>
  raw<{ due: boolean }>(sql`with ${takenEvents(events, now, sql`true`)}
    select exists (
      select from taken t
        join webhooks w on w.id = t.webhook_id and w.status = 'active'
        join webhook_states s on s.webhook_id = w.id and s.failing_since is null
    ) as due`);

/** The table expression `taken`: the events' rows, inserted where `condition` holds. */
export function takenEvents(
  events: readonly DomainEvent[],
  now: Date,
  condition: ReturnType<typeof sql>,
) {
  const rows = events.map(({ id, name, data, webhook }) => ({
    event_id: id,
    event: name,
    object_id: data.id,
    data,
    patterns: patternsFor(name),
    webhook_id: webhook ?? null,
  }));
  const at = now.toISOString();
  return sql`taken as (
    insert into outbox (webhook_id, event_id, event, object_id, data, created_at, next_attempt_at)
    select w.id, e.event_id, e.event, e.object_id, e.data, ${at}::timestamptz, ${at}::timestamptz
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}) as (
             event_id uuid, event text, object_id bigint, data jsonb, patterns text[], webhook_id bigint
           )) with ordinality as e
      join webhooks w on w.status in ('active', 'paused') and w.deleted_at is null
       and (e.webhook_id = w.id or (e.webhook_id is null and w.events && e.patterns))
     where ${condition}
     order by e.ordinality, w.id
    returning webhook_id
  )`;
}
