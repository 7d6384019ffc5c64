import { type SQL, and, eq, sql } from 'drizzle-orm';
import { type Argument, type Write, build, guard, raw } from '../kernel/database/statements.ts';
import type { Following } from '../kernel/events/outbox.ts';
import { reminderStatus } from '../domain/message/reminders.ts';
import type { Notice } from '../domain/notice/notices.ts';
import type { MessageContent } from '../schema/message-content.ts';
import type { MessageMedium, TemplateMedium } from '../schema/lists.ts';
import {
  type MessageRow,
  messageRank,
  messageRanks,
  messageSenders,
  messages,
} from '../schema/messages.ts';

/** Seconds before its turn at which a message can be claimed. */
const ahead = 5;

/**
 * Seconds of a claim. A message waits for its turn, is filled in within 10 seconds, sent within 8 more, and recorded
 * within another 10.
 */
const lease = 60;

/** Leaves out sales whose affiliates know their sum, or will: an order can be completed again. */
const newsOf = (notices: string) => sql`(
  select jsonb_agg(n order by place) from jsonb_array_elements(${notices}::jsonb) with ordinality e (n, place)
   where n ->> 'kind' <> 'commission-earned' or not exists (
     select from (
         select created_at, content from messages
          where order_id = (n -> 'order_id')::bigint and kind = 'commission-earned'
            and record_id = (n -> 'record_id')::bigint and status not in ('cancelled', 'failed')
          order by id desc limit 1) m
      where m.content is null or (
        select coalesce(sum(c.commission), 0) from commissions c
         where c.parent_id = (n -> 'record_id')::bigint and c.status <> 'cancelled'
           and c.created_at > m.created_at) = 0))`;

/** An SQL expression that queues notices by these media. It is true if there is anything to send. */
export function queueNotices(
  notices: readonly Notice[],
  media: readonly TemplateMedium[],
  now: Date,
): Awaited<ReturnType<Following>> {
  if (notices.length === 0) return undefined;
  const rows = notices.map(({ to, ...notice }) => ({
    ...notice,
    user_id: typeof to === 'number' ? to : null,
    of_buyer: to === 'buyer',
  }));
  return sql`svc_queue_notices(${newsOf(JSON.stringify(rows))},
    ${sql.param(media)}::text[], ${now.toISOString()}::timestamptz)`;
}

export const queueAlert = (media: readonly TemplateMedium[], now: Date) =>
  raw(
    sql`select ${queueNotices([{ kind: 'store-alert', to: 'seller', order_id: null, record_id: null }], media, now)}`,
  );

/**
 * Queues due reminders as messages with their own text.
 * @param most the number of reminders
 */
export const queueReminders = (most: number, now: Date) =>
  raw<{ id: number }>(sql`
    with due as (
      select id from reminders where status = 'pending' and scheduled_at <= ${now.toISOString()}
       order by scheduled_at, id limit ${most} for update skip locked
    ), taken as (
      update reminders r
         set status = 'sending', version = r.version + 1, updated_at = ${now.toISOString()}
        from due where r.id = due.id
      returning r.*
    )
    insert into messages (kind, medium, user_id, order_id, reminder_id, recipient_named, recipient,
                          status, due_at, created_at, updated_at)
    select 'reminder', t.media_type, t.user_id, t.order_id, t.id, t.recipient_named,
           case when t.recipient_named then t.recipient else '' end,
           'queued', ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz,
           ${now.toISOString()}::timestamptz
      from taken t order by t.scheduled_at, t.id
    returning id`);

/** The due time of the next reminder; an SQL expression, null if none waits. */
export const nextReminder: SQL = sql`
  (select min(scheduled_at) from reminders where status = 'pending')`;

export interface ClaimedMessage extends Record<string, unknown> {
  readonly id: number;
  /** The key of a batch that must be repeated together. */
  readonly batch: string | null;
  /** The number of the call. Messages with the same number are sent together. */
  readonly call: number;
  /** Seconds until the call's turn. */
  readonly wait: number;
}

/**
 * Claims the due messages of a medium. Before, notices to the seller beyond an hourly limit are gathered in a summary.
 * @param most calls
 * @param together messages in a call
 * @param rate calls a second
 */
export const claimMessages = (
  medium: MessageMedium,
  token: string,
  { most, rate, together = 1 }: { most: number; rate: number; together?: number | undefined },
  now: Date,
) =>
  raw<ClaimedMessage>(sql`
    select id, batch, call, wait from svc_claim_messages_in_turn(${medium}, ${token}::uuid, ${most}::int,
      ${together}::int, ${rate}::float8, ${ahead}::float8, ${lease}::float8,
      ${now.toISOString()}::timestamptz)`);

/**
 * The time at which the next message of a medium can be claimed; an SQL expression, null if none waits. Each rank is
 * looked up separately, because the index separates ranks.
 */
export function nextMessage(medium: MessageMedium): SQL {
  const firsts = messageRanks.map(
    (rank) => sql`
    (select min(due_at) from messages
      where medium = ${medium} and status = 'queued' and ${messageRank} = ${rank}::int)`,
  );
  return sql`
    (select greatest(due.at, s.next_at - make_interval(secs => ${ahead}), s.paused_until)
       from (select least(${sql.join(firsts, sql`, `)}) as at) due
       left join message_senders s on s.medium = ${medium}
      where due.at is not null)`;
}

const isClaimed = (id: Argument<number>, lease_token: Argument<string> | null) =>
  and(
    eq(messages.id, id),
    eq(messages.status, 'queued'),
    sql`${messages.lease_token} = ${lease_token}::uuid`,
  );

export const findClaimed = (id: Argument<number>, lease_token: Argument<string>) =>
  build.select().from(messages).where(isClaimed(id, lease_token));

export const findSenderOf = (medium: Argument<MessageMedium>) =>
  build.select().from(messageSenders).where(eq(messageSenders.medium, medium));

/** A message that is about to be sent. Its content is stored, so that a repeat has the same text and recipient. */
interface SendBegin {
  readonly id: number;
  readonly version: number;
  readonly recipient: string;
  readonly content: MessageContent;
  readonly transactional: boolean;
}

interface BeginningCall {
  readonly medium: MessageMedium;
  readonly sender: string;
  readonly token: string;
  /** The key of the batch; null for a single message. */
  readonly batch: string | null;
}

/**
 * Records that one call is about to send messages. Returns the messages that are still claimed, each with its
 * suppression. A suppressed message is not marked as begun.
 */
export const beginMessages = (
  beginnings: readonly SendBegin[],
  { medium, sender, token, batch }: BeginningCall,
  now: Date,
) =>
  raw<{ id: number; suppressed: boolean }>(sql`
    update messages m
       set recipient = g.recipient, content = g.content, sender = ${sender},
           batch = case when g.suppressed then null else ${batch}::uuid end,
           begun_at = case when g.suppressed then m.begun_at
                           else coalesce(m.begun_at, ${now.toISOString()}::timestamptz) end,
           attempts = m.attempts + (not g.suppressed)::int,
           updated_at = ${now.toISOString()}, version = m.version + 1
      from (select b.*, exists (
              select from message_suppressions s
               where s.medium = ${medium} and s.address = b.recipient
                 and (s.reason <> 'unsubscribed' or not b.transactional)) as suppressed
              from jsonb_to_recordset(${JSON.stringify(beginnings)}::jsonb)
                as b (id bigint, version bigint, recipient text, content jsonb, transactional boolean)) g
     where m.id = g.id and m.version = g.version and m.status = 'queued'
       and m.lease_token = ${token}::uuid
    returning m.id, g.suppressed`);

/** Records the outcome of a claimed message, and of its reminder. */
export function saveClaimed(before: MessageRow, after: MessageRow): Write<'rest_not_found'>[] {
  const { status, due_at, lease_token, begun_at, batch, attempts, last_error, updated_at } = after;
  const { provider_id, sent_at } = after;
  const tried = { status, due_at, lease_token, begun_at, batch, attempts, last_error, updated_at };
  return [
    guard(
      build
        .update(messages)
        .set({ ...tried, provider_id, sent_at, version: sql`${messages.version} + 1` })
        .where(isClaimed(before.id, before.lease_token))
        .returning({ id: messages.id }),
      'rest_not_found',
    ),
    ...followed(after),
  ];
}

/** Writes a message's state to its reminder. */
export function followed(message: MessageRow): Write[] {
  const { reminder_id, status, recipient, attempts, last_error, sent_at, updated_at } = message;
  if (reminder_id === null) return [];
  const update = raw(sql`
    update reminders
       set status = ${reminderStatus[status]}, recipient = ${recipient}, attempts = ${attempts},
           last_error = ${last_error}, sent_at = coalesce(${sent_at}::timestamptz, sent_at),
           updated_at = ${updated_at}, version = version + 1
     where id = ${reminder_id} and status = 'sending'`);
  return [update];
}

export const noteProblem = (medium: MessageMedium, problem: string, now: Date) =>
  build
    .update(messageSenders)
    .set({
      problem,
      problem_since: sql`coalesce(${messageSenders.problem_since}, ${now.toISOString()}::timestamptz)`,
    })
    .where(eq(messageSenders.medium, medium));

/** Pauses a medium, unless its sender accepted a message after the problem began. */
export const pauseSender = (medium: MessageMedium, problem: string, since: string, until: Date) =>
  build
    .update(messageSenders)
    .set({ paused_until: until.toISOString(), problem })
    .where(and(eq(messageSenders.medium, medium), eq(messageSenders.problem_since, since)));

export const resumeSender = (medium: MessageMedium) =>
  build
    .update(messageSenders)
    .set({ paused_until: null, problem: null, problem_since: null })
    .where(and(eq(messageSenders.medium, medium), sql`${messageSenders.problem} is not null`));

export const findSenders = () => build.select().from(messageSenders);

export const countQueued = () =>
  build
    .select({ medium: messages.medium, total: sql<string>`count(*)`.mapWith(Number) })
    .from(messages)
    .where(eq(messages.status, 'queued'))
    .groupBy(messages.medium);
