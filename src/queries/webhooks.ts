import { and, asc, eq, getTableColumns, gt, gte, isNull, sql } from 'drizzle-orm';
import { type Window, allOf, equals, paged } from '../kernel/database/filters.ts';
import { outbox, webhookLog, webhookStates, webhooks } from '../schema/events.ts';
import { type Write, build, lockName, raw } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import type { WebhookRow } from '../schema/events.ts';
import { mostWebhooks } from '../domain/webhook/errors.ts';
import type { WebhookQuery } from '../domain/webhook/schemas.ts';

// Replies never need secrets.
const { secret: _, previous_secret: __, ...columns } = getTableColumns(webhooks);

/** A restore raises `last_log_id` above it. */
const lastAttempt = sql`(select max(l.id) from ${webhookLog} l where l.webhook_id = ${webhooks.id})`;

const selectWebhooks = () =>
  build
    .select({
      webhook: columns,
      last_success_at: webhookStates.last_success_at,
      failing_since: webhookStates.failing_since,
      last_attempt: {
        at: webhookLog.at,
        status: webhookLog.status,
        code: webhookLog.code,
        milliseconds: webhookLog.milliseconds,
        error: webhookLog.error,
      },
    })
    .from(webhooks)
    .innerJoin(webhookStates, eq(webhookStates.webhook_id, webhooks.id))
    .leftJoin(
      webhookLog,
      and(eq(webhookLog.webhook_id, webhooks.id), eq(webhookLog.id, lastAttempt)),
    );

const present = isNull(webhooks.deleted_at);

export const findWebhook = (id: number) =>
  selectWebhooks().where(and(eq(webhooks.id, id), present));

const filters = ({ status }: WebhookQuery): ConditionsFor<WebhookQuery, 'present'> => ({
  present,
  ...equals(webhooks, { status }),
});

export const listWebhooks = (query: WebhookQuery, window: Window) =>
  paged(selectWebhooks().$dynamic(), webhooks.id, filters(query), window);

const total = sql<string>`count(*)`.mapWith(Number);

export const countWebhooks = (query: WebhookQuery) =>
  build
    .select({ total })
    .from(webhooks)
    .where(allOf(filters(query)));

const fails = sql`${webhooks.status} = 'active' and ${webhookStates.failing_since} is not null`;

/** Counts failing and paused webhooks, and names the one that has failed longest. */
export const countTroubled = () =>
  build
    .select({
      failing: sql<string>`count(*) filter (where ${fails})`.mapWith(Number),
      longest_failing_id: sql<number | null>`(array_agg(${webhooks.id}
        order by ${webhookStates.failing_since}) filter (where ${fails}))[1]`.mapWith(webhooks.id),
      paused: sql<string>`count(*) filter (where ${webhooks.status} = 'paused')`.mapWith(Number),
    })
    .from(webhooks)
    .innerJoin(webhookStates, eq(webhookStates.webhook_id, webhooks.id))
    .where(present);

/** Inserts a webhook if there is room. */
export const insertWebhook = (
  { webhook }: WebhookRow,
  secret: string,
): Write<'webhook_limit'>[] => [
  lockName('webhooks'),
  {
    code: 'webhook_limit',
    statement: raw(sql`select svc_guard(
      (select count(*) from webhooks where deleted_at is null) < ${mostWebhooks}, 'webhook_limit')`),
  },
  build.insert(webhooks).values({ ...webhook, secret }),
  build.insert(webhookStates).values({ webhook_id: webhook.id }),
];

export const saveWebhook = (before: WebhookRow, { webhook }: WebhookRow) =>
  updateRow(webhooks, before.webhook, webhook);

/** Gives a webhook a new secret. The old one also signs until the overlap ends. */
export const rotateSecret = (before: WebhookRow, { webhook }: WebhookRow, secret: string) =>
  updateRow(webhooks, before.webhook, {
    ...webhook,
    secret,
    previous_secret: sql`${webhooks.secret}`,
  });

/** Deletes a webhook. Its log and waiting events are removed later, in batches. */
export const hideWebhook = (before: WebhookRow, { webhook }: WebhookRow) =>
  updateRow(webhooks, before.webhook, { ...webhook, secret: '', previous_secret: null });

export const findWaiting = (webhook_id: number) =>
  build
    .selectDistinct({ event: outbox.event })
    .from(outbox)
    .where(and(eq(outbox.webhook_id, webhook_id), isNull(outbox.delivered_at)));

/** Makes a webhook count as healthy, and its waiting retries due at once. */
export const beginAnew = (webhook_id: number, now: Date): Write[] => [
  build
    .update(outbox)
    .set({ attempts: 0, next_attempt_at: now.toISOString() })
    .where(
      and(
        eq(outbox.webhook_id, webhook_id),
        isNull(outbox.delivered_at),
        gt(outbox.next_attempt_at, now.toISOString()),
      ),
    ),
  build
    .update(webhookStates)
    .set({ failing_since: null })
    .where(eq(webhookStates.webhook_id, webhook_id)),
];

/** The most events of one replay. */
export const replayLimit = 10_000;

/** A webhook's events from a moment on, oldest first. */
const replayed = (webhook_id: number, from: string, limit: number) =>
  build
    .select({ id: outbox.id, created_at: outbox.created_at, event: outbox.event })
    .from(outbox)
    .where(and(eq(outbox.webhook_id, webhook_id), gte(outbox.created_at, from)))
    .orderBy(asc(outbox.created_at), asc(outbox.id))
    .limit(limit);

/** Returns the number and kinds of a replay's events, and the time of the first event after them. */
export function measureReplay(webhook_id: number, from: string) {
  const rows = replayed(webhook_id, from, replayLimit + 1);
  return raw<{ replayed: number; events: string[]; next_from: string | null }>(sql`
    select least(count(*), ${replayLimit})::int as replayed,
           coalesce(jsonb_agg(distinct event), '[]') as events,
           (array_agg(created_at order by created_at, id))[${replayLimit + 1}::int] as next_from
      from (${rows.getSQL()}) r`);
}

/** Makes a replay's events due, delivered or not. Events in progress stay with their attempt. */
export const replayEvents = (webhook_id: number, from: string, now: Date): Write =>
  raw(sql`
    update outbox set delivered_at = null, attempts = 0, next_attempt_at = ${now.toISOString()}
     where id in (select id from (${replayed(webhook_id, from, replayLimit).getSQL()}) r)
       and (lease_until is null or lease_until <= ${now.toISOString()})`);

/** Makes an event due again, whatever its outcome. An event in progress stays with its attempt. */
export const resendEvent = (outbox_id: number, now: Date): Write =>
  raw(sql`
    update outbox set delivered_at = null, attempts = 0, next_attempt_at = ${now.toISOString()}
     where id = ${outbox_id} and (lease_until is null or lease_until <= ${now.toISOString()})`);

export const findCounter = (webhook_id: number) =>
  build
    .select({ last_log_id: webhookStates.last_log_id })
    .from(webhookStates)
    .innerJoin(webhooks, eq(webhooks.id, webhookStates.webhook_id))
    .where(and(eq(webhooks.id, webhook_id), present));
