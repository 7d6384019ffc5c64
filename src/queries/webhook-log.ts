import { type SQL, and, asc, between, desc, eq, gt, sql } from 'drizzle-orm';
import * as filter from '../kernel/database/filters.ts';
import { build, raw } from '../kernel/database/statements.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { deliveryStatuses } from '../kernel/events/lists.ts';
import { outbox, webhookLog } from '../schema/events.ts';
import type { DeliveryQuery } from '../domain/webhook/schemas.ts';

const attempt = {
  id: webhookLog.id,
  webhook_id: webhookLog.webhook_id,
  outbox_id: webhookLog.outbox_id,
  at: webhookLog.at,
  status: webhookLog.status,
  code: webhookLog.code,
  attempt: webhookLog.attempt,
  milliseconds: webhookLog.milliseconds,
  error: webhookLog.error,
  answer: webhookLog.answer,
  sent_at: webhookLog.sent_at,
  signature: webhookLog.signature,
  event_id: outbox.event_id,
  event: webhookLog.event,
  object_id: outbox.object_id,
};

const selectAttempts = (webhook_id: number) =>
  build
    .select(attempt)
    .from(webhookLog)
    .innerJoin(
      outbox,
      and(eq(outbox.id, webhookLog.outbox_id), eq(webhookLog.webhook_id, webhook_id)),
    );

const attemptFilters = (
  webhook_id: number,
  { status, event, code, date_start, date_end }: DeliveryQuery,
): ConditionsFor<DeliveryQuery, 'webhook'> => ({
  webhook: ofWebhook(webhook_id),
  status: hasStatus(status),
  event: event && eq(webhookLog.event, event),
  code: hasCode(code),
  date_start: filter.since(webhookLog.at, date_start),
  date_end: filter.until(webhookLog.at, date_end),
});

const ofWebhook = (webhook_id: number) => eq(webhookLog.webhook_id, webhook_id);

// A literal, so that the planner uses the index of a status.
const hasStatus = (status: DeliveryQuery['status']): SQL | undefined =>
  status && sql`${webhookLog.status} = ${sql.raw(`'${status}'`)}`;

/**
 * Matches attempts by the answer's code, or its class of codes. The code determines the status, whose index finds these
 * attempts.
 */
function hasCode(code: DeliveryQuery['code']): SQL | undefined {
  if (code === undefined) return undefined;
  const [first, last] = code.endsWith('xx')
    ? [Number(code[0]) * 100, Number(code[0]) * 100 + 99]
    : [Number(code), Number(code)];
  const isSuccess = first >= 200 && first < 300;
  return and(hasStatus(isSuccess ? 'success' : 'failed'), between(webhookLog.code, first, last));
}

export const listAttempts = (webhook_id: number, query: DeliveryQuery, window: filter.Window) =>
  filter.paged(
    selectAttempts(webhook_id).$dynamic(),
    webhookLog.id,
    attemptFilters(webhook_id, query),
    window,
    { time: filter.isDated(query) ? webhookLog.at : undefined, within: ofWebhook(webhook_id) },
  );

export const countAttempts = (webhook_id: number, query: DeliveryQuery) =>
  filter.countRows(
    filter.inStatuses(`webhook_log:${webhook_id}`, deliveryStatuses, query.status),
    webhookLog,
    attemptFilters(webhook_id, query),
    ['webhook', 'status'],
  );

export const findAttempt = (webhook_id: number, id: number) =>
  selectAttempts(webhook_id).where(eq(webhookLog.id, id));

/** The most attempts that are shown of one event: enough for years. */
const attemptLimit = 500;

/** An attempt's row in the outbox. */
const eventOf = (webhook_id: number, id: number) =>
  sql`(select outbox_id from webhook_log where webhook_id = ${webhook_id} and id = ${id})`;

/** The delivery of an attempt, in its present state. */
export const findSent = (webhook_id: number, id: number) =>
  build
    .select({
      event_id: outbox.event_id,
      event: outbox.event,
      object_id: outbox.object_id,
      data: outbox.data,
      created_at: outbox.created_at,
      delivered_at: outbox.delivered_at,
      next_attempt_at: outbox.next_attempt_at,
    })
    .from(outbox)
    .where(eq(outbox.id, eventOf(webhook_id, id)));

export const listAttemptsBeside = (webhook_id: number, id: number) =>
  selectAttempts(webhook_id)
    .where(eq(webhookLog.outbox_id, eventOf(webhook_id, id)))
    .orderBy(desc(webhookLog.id))
    .limit(attemptLimit);

/** The most waiting events that are counted. */
const waitingLimit = 10_000;

/** Counts a webhook's deliveries in the days up to today, oldest first. */
export const findFigures = (webhook_id: number, days: number, now: Date) =>
  raw<{ date: string; delivered: string; failed: string; pending: string }>(sql`
    with calendar as (
      select s.timezone, (${now.toISOString()}::timestamptz at time zone s.timezone)::date as today
        from settings s
    ), waiting as (
      select (o.created_at at time zone c.timezone)::date as date, count(*) as events
        from calendar c cross join (
          select created_at from outbox where webhook_id = ${webhook_id} and delivered_at is null
           order by next_attempt_at, id limit ${waitingLimit}
        ) o
       group by 1
    )
    select d.date::date::text as date, l.delivered, l.failed, coalesce(w.events, 0) as pending
      from calendar c
     cross join generate_series(c.today - ${days - 1}::int, c.today, interval '1 day') d (date)
     cross join lateral (
       select coalesce(sum(attempts) filter (where status = 'success'), 0) as delivered,
              coalesce(sum(attempts) filter (where status = 'failed'), 0) as failed
         from webhook_days
        where webhook_id = ${webhook_id} and day = d.date::date - date '2000-01-01'
     ) l
      left join waiting w on w.date = d.date::date
     order by d.date`);

/** The log of a webhook after an entry, in order. */
export const readLog = (
  webhook_id: number,
  after: number,
  limit: number,
  status: DeliveryQuery['status'],
) =>
  build
    .select({
      id: webhookLog.id,
      at: webhookLog.at,
      status: webhookLog.status,
      code: webhookLog.code,
      event: outbox.event,
      data: outbox.data,
      object_id: outbox.object_id,
    })
    .from(webhookLog)
    .innerJoin(outbox, eq(outbox.id, webhookLog.outbox_id))
    .where(and(ofWebhook(webhook_id), gt(webhookLog.id, after), hasStatus(status)))
    .orderBy(asc(webhookLog.id))
    .limit(limit);
