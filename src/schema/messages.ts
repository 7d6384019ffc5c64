import { type SQLWrapper, sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import {
  type Language,
  messageKinds,
  messageMedia,
  messageStatuses,
  noticeKinds,
  orderMessageKinds,
  suppressionReasons,
  templateKinds,
  templateMedia,
} from './lists.ts';
import {
  changes,
  choice,
  document,
  id,
  instant,
  integer,
  oneOf,
} from '../kernel/database/columns.ts';
import type { MessageContent } from './message-content.ts';
import { orders } from './orders.ts';
import { reminders } from './reminders.ts';
import { users } from './users.ts';

/** The store's own words in a language, in place of the service's. */
export interface TemplateText {
  /** Empty for other media than e-mail. */
  readonly subject: string;
  /** Plain text with placeholders. */
  readonly text: string;
  /** The template that WhatsApp approved in that language, and the placeholders of its variables, in order. */
  readonly approved: { readonly name: string; readonly variables: readonly string[] } | null;
}

type TemplateTexts = Partial<Record<Language, TemplateText>>;

/** The store's changes to a kind of message on a medium; without a row it is on, with the service's words. */
export const messageTemplates = pg.pgTable(
  'message_templates',
  {
    kind: choice(templateKinds).notNull(),
    medium: choice(templateMedia).notNull(),
    active: pg.boolean().notNull(),
    texts: document<TemplateTexts>().notNull(),
    updated_at: instant().notNull(),
    version: integer().notNull(),
  },
  (t) => [
    pg.primaryKey({ columns: [t.kind, t.medium] }),
    oneOf('message_templates_kind', t.kind, templateKinds),
    oneOf('message_templates_medium', t.medium, templateMedia),
  ],
);

/** Ranks of messages that wait: those of a lower rank go first. */
export const messageRanks = [0, 1, 2] as const;

const among = (kind: SQLWrapper, kinds: readonly string[]) =>
  sql`${kind} in (${sql.raw(kinds.map((each) => `'${each}'`).join(', '))})`;

/** Rank of a kind of message: buyers' orders and payments, then everything else, then reminders. */
const rankOf = (kind: SQLWrapper) =>
  sql`(case when ${among(kind, orderMessageKinds)} then 0 when ${kind} = 'reminder' then 2 else 1 end)`;

/** Messages to people: queued, on their way or sent, with the text they were filled in with. */
export const messages = pg.pgTable(
  'messages',
  {
    id: id(),
    /** The name of the message at its sender in every try: unique among all deployments. */
    key: pg.uuid().notNull().defaultRandom(),
    kind: choice(messageKinds).notNull(),
    medium: choice(messageMedia).notNull(),
    /** Null for a message to the seller. */
    user_id: integer().references(() => users.id),
    order_id: integer().references(() => orders.id, { onDelete: 'cascade' }),
    reminder_id: integer().references(() => reminders.id, { onDelete: 'set null' }),
    /** The record that it is about besides, by its kind: a refund, a confirmation, a commission, a webhook, … */
    record_id: integer(),
    /** Somebody named the recipient; else it goes to the user's own address when it is first tried. */
    recipient_named: pg.boolean().notNull().default(false),
    recipient: pg.text().notNull().default(''),
    /** Null until it is filled in, right before the first try. */
    content: document<MessageContent | null>(),
    status: choice(messageStatuses).notNull(),
    /** The time of the next try; during a try, the end of its lease. */
    due_at: instant().notNull(),
    lease_token: pg.uuid(),
    /** The begin of a try whose outcome isn't known. */
    begun_at: instant(),
    /**
     * Key of the call by which it was handed over with others. While it isn't known what became of that, they are repeated
     * together; of those that were refused together, each half has a key.
     */
    batch: pg.uuid(),
    /** The summary that reports a gathered notice. */
    gathered_in: integer(),
    attempts: pg.integer().notNull().default(0),
    /** Why the last try failed, in a provider's word or ours. */
    last_error: pg.text(),
    /** The sender that accepted it. */
    sender: pg.text(),
    provider_id: pg.text(),
    sent_at: instant(),
    delivered_at: instant(),
    read_at: instant(),
    /** The sender's first reports that it bounced for good, and that its reader called it spam. */
    bounced_at: instant(),
    complained_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('messages_kind', t.kind, messageKinds),
    oneOf('messages_medium', t.medium, messageMedia),
    oneOf('messages_status', t.status, messageStatuses),
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
      .index('messages_signing_in')
      .on(t.medium, t.due_at, t.id)
      .where(sql`${t.status} = 'queued' and ${among(t.kind, ['sign-in-link', 'sign-in-code'])}`),
    pg
      .index('messages_batch')
      .on(t.batch)
      .where(sql`${t.batch} is not null and ${t.status} = 'queued'`),
    pg
      .index('messages_notices_queued')
      .on(t.medium, t.kind, t.created_at, t.id)
      .where(sql`${t.status} = 'queued' and ${among(t.kind, [...noticeKinds, 'seller-summary'])}`),
    pg
      .index('messages_notices_alone')
      .on(t.medium, t.kind, t.created_at)
      .where(sql`${t.status} <> 'gathered' and ${among(t.kind, noticeKinds)}`),
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

/** Suppressed addresses: they bounced, or their owners complained or unsubscribed. */
export const messageSuppressions = pg.pgTable(
  'message_suppressions',
  {
    id: id(),
    medium: choice(messageMedia).notNull(),
    /** An e-mail address in lower case, or a number in E.164. */
    address: pg.text().notNull(),
    reason: choice(suppressionReasons).notNull(),
    /** The message that bounced, or that its reader complained about. */
    message_id: integer(),
    created_at: instant().notNull(),
  },
  (t) => [
    oneOf('message_suppressions_medium', t.medium, messageMedia),
    oneOf('message_suppressions_reason', t.reason, suppressionReasons),
    pg.uniqueIndex('message_suppressions_once').on(t.medium, t.address, t.reason),
  ],
);

/** The pace of messages of a medium, and the condition of its sender. */
export const messageSenders = pg.pgTable(
  'message_senders',
  {
    medium: choice(messageMedia).primaryKey(),
    /** The earliest time of the next message. */
    next_at: instant().notNull(),
    /** Until when nothing is sent, since the account isn't in order. */
    paused_until: instant(),
    /** Why, in the provider's word; null once a message was taken again. */
    problem: pg.text(),
    problem_since: instant(),
  },
  (t) => [oneOf('message_senders_medium', t.medium, messageMedia)],
);

export const messageRank = rankOf(messages.kind);

export type MessageRow = typeof messages.$inferSelect;
export type MessageTemplateRow = typeof messageTemplates.$inferSelect;
export type TemplateKey = Pick<MessageTemplateRow, 'kind' | 'medium'>;
export type MessageSenderRow = typeof messageSenders.$inferSelect;
type SuppressionRow = typeof messageSuppressions.$inferSelect;
export type NewSuppression = Omit<SuppressionRow, 'id'>;
