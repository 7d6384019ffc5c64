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

/** The store's own text in a language, which replaces the service's. */
export interface TemplateText {
  /** Empty for media other than e-mail. */
  readonly subject: string;
  /** Plain text with placeholders. */
  readonly text: string;
  /** The approved WhatsApp template in that language, and the placeholders of its variables, in order. */
  readonly approved: { readonly name: string; readonly variables: readonly string[] } | null;
}

type TemplateTexts = Partial<Record<Language, TemplateText>>;

/**
 * The store's changes to a kind of message on a medium. Without a row, the message is on and has the service's text.
 */
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

/** Ranks of waiting messages: lower ranks go first. */
export const messageRanks = [0, 1, 2] as const;

const among = (kind: SQLWrapper, kinds: readonly string[]) =>
  sql`${kind} in (${sql.raw(kinds.map((each) => `'${each}'`).join(', '))})`;

/** The rank of a kind of message: orders and payments of buyers, then everything else, then reminders. */
const rankOf = (kind: SQLWrapper) =>
  sql`(case when ${among(kind, orderMessageKinds)} then 0 when ${kind} = 'reminder' then 2 else 1 end)`;

/** Messages to people: queued, being sent or sent, with their filled-in text. */
export const messages = pg.pgTable(
  'messages',
  {
    id: id(),
    /** The key of the message at its sender, for every attempt; unique among all deployments. */
    key: pg.uuid().notNull().defaultRandom(),
    kind: choice(messageKinds).notNull(),
    medium: choice(messageMedia).notNull(),
    /** Null for a message to the seller. */
    user_id: integer().references(() => users.id),
    order_id: integer().references(() => orders.id, { onDelete: 'cascade' }),
    reminder_id: integer().references(() => reminders.id, { onDelete: 'set null' }),
    /**
     * The id of a further record that the message is about: a refund, a confirmation, a commission, a webhook, … The
     * message's kind says which.
     */
    record_id: integer(),
    /** True if the recipient was named; otherwise it goes to the user's own address at the first attempt. */
    recipient_named: pg.boolean().notNull().default(false),
    recipient: pg.text().notNull().default(''),
    /** Null until the text is filled in, right before the first attempt. */
    content: document<MessageContent | null>(),
    status: choice(messageStatuses).notNull(),
    /** The time of the next attempt; during an attempt, the end of its lease. */
    due_at: instant().notNull(),
    lease_token: pg.uuid(),
    /** The start of an attempt whose outcome is unknown. */
    begun_at: instant(),
    /**
     * The key of a call with several messages. While its outcome is unknown, they are repeated together. If the call
     * was refused, each half gets a key of its own.
     */
    batch: pg.uuid(),
    /** The summary that reports a gathered notice. */
    gathered_in: integer(),
    attempts: pg.integer().notNull().default(0),
    /** The reason of the last failure, in a provider's code or ours. */
    last_error: pg.text(),
    /** The sender that accepted the message. */
    sender: pg.text(),
    provider_id: pg.text(),
    sent_at: instant(),
    delivered_at: instant(),
    read_at: instant(),
    /** The sender's first reports of a permanent bounce, and of a complaint by its reader. */
    bounced_at: instant(),
    complained_at: instant(),
    ...changes,
  },
  (t) => [
    oneOf('messages_kind', t.kind, messageKinds),
    oneOf('messages_medium', t.medium, messageMedia),
    oneOf('messages_status', t.status, messageStatuses),
    pg.check('messages_recipient', sql`not ${t.recipient_named} or ${t.recipient} <> ''`),
    // Kept for the previously deployed worker.
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
    pg
      .index('messages_named')
      .on(t.id)
      .where(sql`${t.recipient_named}`),
  ],
);

/** Addresses that bounced, or whose owners complained or unsubscribed. */
export const messageSuppressions = pg.pgTable(
  'message_suppressions',
  {
    id: id(),
    medium: choice(messageMedia).notNull(),
    /** An e-mail address in lower case, or a number in E.164. */
    address: pg.text().notNull(),
    reason: choice(suppressionReasons).notNull(),
    /** The message that bounced or caused the complaint. */
    message_id: integer(),
    created_at: instant().notNull(),
  },
  (t) => [
    oneOf('message_suppressions_medium', t.medium, messageMedia),
    oneOf('message_suppressions_reason', t.reason, suppressionReasons),
    pg.uniqueIndex('message_suppressions_once').on(t.medium, t.address, t.reason),
  ],
);

/** The pace of a medium's messages, and the state of its sender. */
export const messageSenders = pg.pgTable(
  'message_senders',
  {
    medium: choice(messageMedia).primaryKey(),
    /** The earliest time of the next message. */
    next_at: instant().notNull(),
    /** The end of a pause, because the account is out of order. */
    paused_until: instant(),
    /** The reason, in the provider's code; null once a message was accepted again. */
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
export type NewSuppression = Omit<typeof messageSuppressions.$inferSelect, 'id'>;
