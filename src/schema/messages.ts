import { type SQLWrapper, sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import * as lists from './lists.ts';
import * as column from '../kernel/database/columns.ts';
import type { MessageContent } from './message-content.ts';
import { orders } from './orders.ts';
import { reminders } from './reminders.ts';
import { users } from './users.ts';

/** What the store says of something in a language, in place of the words that come with the service. */
export interface TemplateText {
  /** Empty for what isn't an e-mail. */
  readonly subject: string;
  /** Plain text with placeholders. */
  readonly text: string;
  /** The template that WhatsApp approved in that language, and the placeholders of its variables, in order. */
  readonly approved: { readonly name: string; readonly variables: readonly string[] } | null;
}

type TemplateTexts = Partial<Record<lists.Language, TemplateText>>;

/** What the store changed about what people are told; without a row it is on, in the words it came with. */
export const messageTemplates = pg.pgTable(
  'message_templates',
  {
    kind: column.choice(lists.templateKinds).notNull(),
    medium: column.choice(lists.templateMedia).notNull(),
    active: pg.boolean().notNull(),
    texts: column.document<TemplateTexts>().notNull(),
    updated_at: column.instant().notNull(),
    version: column.integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.kind, t.medium] }),
    column.oneOf('message_templates_kind', t.kind, lists.templateKinds),
    column.oneOf('message_templates_medium', t.medium, lists.templateMedia),
  ],
);

/** Ranks of messages that wait: those of a lower rank go first. */
export const messageRanks = [0, 1, 2] as const;

const among = (kind: SQLWrapper, kinds: readonly string[]) =>
  sql`${kind} in (${sql.raw(kinds.map((each) => `'${each}'`).join(', '))})`;

/** Rank of a kind of message: buyers' orders and payments, then everything else, then reminders. */
const rankOf = (kind: SQLWrapper) =>
  sql`(case when ${among(kind, lists.orderMessageKinds)} then 0 when ${kind} = 'reminder' then 2 else 1 end)`;

/** Messages to people, written with what they tell of: to be sent, on their way, sent. */
export const messages = pg.pgTable(
  'messages',
  {
    id: column.id(),
    /** What its sender knows a message by, in every try: unique among all deployments. */
    key: pg.uuid().notNull().defaultRandom(),
    kind: column.choice(lists.messageKinds).notNull(),
    medium: column.choice(lists.messageMedia).notNull(),
    /** Null of what the seller is told. */
    user_id: column.integer().references(() => users.id),
    order_id: column.integer().references(() => orders.id, { onDelete: 'cascade' }),
    reminder_id: column.integer().references(() => reminders.id, { onDelete: 'set null' }),
    /** What it is about besides, by its kind: a refund, a confirmation, a commission, a webhook, … */
    record_id: column.integer(),
    /** Somebody named the recipient; else it goes to the user's own address when it is first tried. */
    recipient_named: pg.boolean().notNull().default(false),
    recipient: pg.text().notNull().default(''),
    /** Null until it is filled in, right before the first try. */
    content: column.document<MessageContent | null>(),
    status: column.choice(lists.messageStatuses).notNull(),
    /** When it is tried next; while it is being tried, when somebody else may. */
    due_at: column.instant().notNull(),
    lease_token: pg.uuid(),
    /** When a try began whose outcome isn't known. */
    begun_at: column.instant(),
    /**
     * Key of the call by which it was handed over with others. While it isn't known what became of that, they are repeated
     * together; of those that were refused together, each half has a key.
     */
    batch: pg.uuid(),
    /** The summary that tells of it, of a notice that was gathered. */
    gathered_in: column.integer(),
    attempts: pg.integer().notNull().default(0),
    /** Why the last try failed, in a provider's word or ours. */
    last_error: pg.text(),
    /** Who took it. */
    sender: pg.text(),
    provider_id: pg.text(),
    sent_at: column.instant(),
    delivered_at: column.instant(),
    read_at: column.instant(),
    /** When its sender first told that it bounced for good, and that its reader called it spam. */
    bounced_at: column.instant(),
    complained_at: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('messages_kind', t.kind, lists.messageKinds),
    column.oneOf('messages_medium', t.medium, lists.messageMedia),
    column.oneOf('messages_status', t.status, lists.messageStatuses),
    pg.check('messages_recipient', sql`not ${t.recipient_named} or ${t.recipient} <> ''`),
    // Read by the worker deployed before.
    pg
      .index('messages_due')
      .on(t.medium, sql`((${t.kind} = 'reminder')::int)`, t.due_at, t.id)
      .where(sql`${t.status} = 'queued'`),
    pg
      .index('messages_due_by_rank')
      .on(t.medium, rankOf(t.kind), t.due_at, t.id)
      .where(sql`${t.status} = 'queued'`),
    pg
      .index('messages_batch')
      .on(t.batch)
      .where(sql`${t.batch} is not null and ${t.status} = 'queued'`),
    pg
      .index('messages_notices_queued')
      .on(t.medium, t.kind, t.created_at, t.id)
      .where(
        sql`${t.status} = 'queued' and ${among(t.kind, [...lists.noticeKinds, 'seller-summary'])}`,
      ),
    pg
      .index('messages_notices_alone')
      .on(t.medium, t.kind, t.created_at)
      .where(sql`${t.status} <> 'gathered' and ${among(t.kind, lists.noticeKinds)}`),
    pg
      .index('messages_gathered_in')
      .on(t.gathered_in)
      .where(sql`${t.gathered_in} is not null`),
    pg.uniqueIndex('messages_key').on(t.key),
    pg
      .index('messages_provider_id')
      .on(t.sender, t.provider_id)
      .where(sql`${t.provider_id} is not null`),
    pg.index('messages_order').on(t.order_id, t.id),
    pg.index('messages_user').on(t.user_id, t.id),
    pg
      .index('messages_reminder')
      .on(t.reminder_id)
      .where(sql`${t.reminder_id} is not null`),
    pg.index('messages_status_id').on(t.status, t.id),
    pg.index('messages_medium').on(t.medium, t.id),
    pg.index('messages_kind_id').on(t.kind, t.id),
    pg.index('messages_created_at').on(t.created_at),
  ],
);

/** Addresses that nothing is sent to: they bounced, or their owners said so. */
export const messageSuppressions = pg.pgTable(
  'message_suppressions',
  {
    id: column.id(),
    medium: column.choice(lists.messageMedia).notNull(),
    /** An e-mail address in lower case, or a number in E.164. */
    address: pg.text().notNull(),
    reason: column.choice(lists.suppressionReasons).notNull(),
    /** The message that told of it. */
    message_id: column.integer(),
    created_at: column.instant().notNull(),
  },
  (t) => [
    column.oneOf('message_suppressions_medium', t.medium, lists.messageMedia),
    column.oneOf('message_suppressions_reason', t.reason, lists.suppressionReasons),
    pg.uniqueIndex('message_suppressions_once').on(t.medium, t.address, t.reason),
  ],
);

/** How fast messages of a medium go out, and whether its sender is in order. */
export const messageSenders = pg.pgTable(
  'message_senders',
  {
    medium: column.choice(lists.messageMedia).primaryKey(),
    /** When the next message may go out. */
    next_at: column.instant().notNull(),
    /** Until when nothing is sent, since the account isn't in order. */
    paused_until: column.instant(),
    /** Why, in the provider's word; null once a message was taken again. */
    problem: pg.text(),
    problem_since: column.instant(),
  },
  (t) => [column.oneOf('message_senders_medium', t.medium, lists.messageMedia)],
);

export const messageRank = rankOf(messages.kind);

export type MessageRow = typeof messages.$inferSelect;
export type MessageTemplateRow = typeof messageTemplates.$inferSelect;
/** What names a template. */
export type TemplateKey = Pick<MessageTemplateRow, 'kind' | 'medium'>;
export type MessageSenderRow = typeof messageSenders.$inferSelect;
type SuppressionRow = typeof messageSuppressions.$inferSelect;
export type NewSuppression = Omit<SuppressionRow, 'id'>;
