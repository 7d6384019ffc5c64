import { sql } from 'drizzle-orm';
import { raw } from '../kernel/database/statements.ts';

/** Figures of a store as its database returns them; ages are in seconds, null if nothing waits. */
export interface StatusRow extends Record<string, unknown> {
  readonly undelivered_event_age: number | null;
  readonly failing_webhooks: number;
  readonly stuck_payments: number;
  readonly stuck_messages: number;
  readonly unsent_refunds: number;
  readonly backup_age: number | null;
  readonly database_size: number;
}

/** The time after which due work counts as stuck. */
const overdue = sql`interval '15 minutes'`;

/** Reads the figures of the store's status. Events of paused webhooks wait on purpose, and don't count. */
export const findStatus = (now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  const seconds = (since: ReturnType<typeof sql>) =>
    sql`floor(extract(epoch from ${at} - ${since}))::float8`;
  return raw<StatusRow>(sql`
    select ${seconds(sql`(
             select min(o.created_at) from outbox o join webhooks w on w.id = o.webhook_id
              where o.delivered_at is null and w.status = 'active' and w.deleted_at is null)`)} as undelivered_event_age,
           (select count(*)::int from webhook_states s join webhooks w on w.id = s.webhook_id
             where w.deleted_at is null
               and (w.status = 'active' and s.failing_since is not null
                    or w.status = 'paused' and w.paused_reason <> 'manual')) as failing_webhooks,
           (select count(*)::int from payment_sessions where check_at < ${at} - ${overdue}) as stuck_payments,
           (select count(*)::int from messages
             where status = 'queued' and due_at < ${at} - ${overdue}) as stuck_messages,
           (select count(*)::int from provider_refunds
             where due_at < ${at} - ${overdue}
                or state = 'failed' and paid_by_hand_at is null
                   and refund_id is not null) as unsent_refunds,
           ${seconds(sql`(select backed_up_at from store_mark)`)} as backup_age,
           pg_database_size(current_database())::float8 as database_size`);
};
