import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { deliveryStatuses, pauseReasons, webhookStatuses } from '../kernel/events/lists.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';

/** Receivers of events. Deliveries change `webhook_states`, not this table. */
export const webhooks = pg.pgTable(
  'webhooks',
  {
    id: id(),
    name: pg.text().notNull(),
    url: pg.text().notNull(),
    /** Names of events, or patterns: `order.*`, `*`. */
    events: pg.text().array().notNull(),
    status: choice(webhookStatuses).notNull(),
    paused_reason: choice(pauseReasons),
    /** `whsec_…`; only the reply that creates it shows it. */
    secret: pg.text().notNull(),
    /** The secret before the last rotation, which also signs until it expires. */
    previous_secret: pg.text(),
    previous_secret_expires_at: instant(),
    /** Set by a deletion: rows elsewhere are removed in batches, then this row. */
    deleted_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('webhooks_status', t.status, webhookStatuses),
    oneOf('webhooks_paused_reason', t.paused_reason, pauseReasons),
  ],
);

/**
 * The state of a webhook's deliveries. It is not part of the webhook's record, so that a delivery doesn't change the
 * record's version.
 */
export const webhookStates = pg.pgTable('webhook_states', {
  webhook_id: integer()
    .primaryKey()
    .references(() => webhooks.id, { onDelete: 'cascade' }),
  /** The last id in the webhook's log. Ids are drawn from here, in commit order. */
  last_log_id: integer().notNull().default(0),
  last_success_at: instant(),
  /** The first failure after the last success; null while attempts succeed. */
  failing_since: instant(),
  /** For a failing webhook: the end of the running attempt. */
  slot_until: instant(),
});

/** Events to deliver: one row for each subscribed webhook, written with the change itself. */
export const outbox = pg.pgTable(
  'outbox',
  {
    id: id(),
    webhook_id: reference(() => webhooks.id),
    /** The `webhook-id` of the deliveries: the same for every webhook and attempt. */
    event_id: pg.uuid().notNull(),
    event: pg.text().notNull(),
    object_id: integer().notNull(),
    data: document<Record<string, unknown>>().notNull(),
    created_at: instant().notNull(),
    /** Finished attempts; a replay starts the count again. */
    attempts: pg.smallint().notNull().default(0),
    next_attempt_at: instant().notNull(),
    /** The lease of the worker that is delivering the event, and the end of that lease. */
    lease_token: pg.uuid(),
    lease_until: instant(),
    delivered_at: instant(),
  },
  (t) => [
    pg
      .index('outbox_due')
      .on(t.webhook_id, t.next_attempt_at, t.id)
      .where(sql`${t.delivered_at} is null`),
    pg.index('outbox_webhook').on(t.webhook_id, t.created_at, t.id),
    pg
      .index('outbox_delivered_at')
      .on(t.delivered_at)
      .where(sql`${t.delivered_at} is not null`),
  ],
);

/**
 * Finished attempts, append-only. Ids count up for each webhook and become visible in order. An
 * attempt's event is in the outbox, which outlives it.
 */
export const webhookLog = pg.pgTable(
  'webhook_log',
  {
    webhook_id: integer().notNull(),
    id: integer().notNull(),
    outbox_id: integer().notNull(),
    event: pg.text().notNull(),
    at: instant().notNull(),
    status: choice(deliveryStatuses).notNull(),
    /** The answer's HTTP status; 0 when there was none. */
    code: pg.smallint().notNull(),
    attempt: pg.smallint().notNull(),
    milliseconds: pg.integer().notNull(),
    /** The reason why there was no answer, or why it doesn't count. */
    error: pg.text(),
    /** The first 2 kB of the answer. */
    answer: pg.text().notNull(),
    /** The `webhook-timestamp` that was sent, in seconds, and the `webhook-signature`; null if nothing was sent. */
    sent_at: integer(),
    signature: pg.text(),
  },
  (t) => [
    pg.primaryKey({ name: 'webhook_log_pkey', columns: [t.webhook_id, t.id] }),
    pg
      .index('webhook_log_success')
      .on(t.webhook_id, t.id)
      .where(sql`${t.status} = 'success'`),
    pg
      .index('webhook_log_failed')
      .on(t.webhook_id, t.id)
      .where(sql`${t.status} = 'failed'`),
    pg.index('webhook_log_event').on(t.webhook_id, t.event, t.id),
    pg.index('webhook_log_time').on(t.webhook_id, t.at, t.id),
    pg.index('webhook_log_outbox').on(t.outbox_id),
    pg.index('webhook_log_at').on(t.at),
    oneOf('webhook_log_status', t.status, deliveryStatuses),
  ],
);

/** The number of attempts in each webhook's log by day in the store's time zone, kept by a trigger on it. */
export const webhookDays = pg.pgTable(
  'webhook_days',
  {
    webhook_id: reference(() => webhooks.id, { onDelete: 'cascade' }),
    /** Days since 2000-01-01. */
    day: pg.integer().notNull(),
    status: choice(deliveryStatuses).notNull(),
    attempts: pg.integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.webhook_id, t.day, t.status] }),
    oneOf('webhook_days_status', t.status, deliveryStatuses),
  ],
);

export interface LastAttempt {
  readonly at: string;
  readonly status: (typeof deliveryStatuses)[number];
  readonly code: number;
  readonly milliseconds: number;
  readonly error: string | null;
}

/** A webhook for replies: without its secrets, with the state of its deliveries. */
export interface WebhookRow {
  readonly webhook: Omit<typeof webhooks.$inferSelect, 'secret' | 'previous_secret'>;
  readonly last_success_at: string | null;
  readonly failing_since: string | null;
  readonly last_attempt: LastAttempt | null;
}
