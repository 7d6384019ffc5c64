import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer as int4,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { reminderDirections, messageMedia, reminderStatuses, reminderTypes } from './lists.ts';
import { changes, choice, id, instant, integer, oneOf } from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** The text of a reminder, and its days before or after an order was placed or a subscription ends. */
export const reminderTemplates = pgTable(
  'reminder_templates',
  {
    id: id(),
    type: choice(reminderTypes).notNull(),
    offset_days: int4().notNull(),
    direction: choice(reminderDirections).notNull(),
    /** Hour of the day in the store's time zone. */
    hour: smallint().notNull(),
    media: text({ enum: messageMedia }).array().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    active: boolean().notNull().default(true),
    ...changes,
  },
  (t) => [
    oneOf('reminder_templates_type', t.type, reminderTypes),
    oneOf('reminder_templates_direction', t.direction, reminderDirections),
    check('reminder_templates_hour', sql`${t.hour} between 0 and 23`),
  ],
);

/** Messages to buyers: scheduled, on their way, sent. */
export const reminders = pgTable(
  'reminders',
  {
    id: id(),
    order_id: integer().references(() => orders.id, { onDelete: 'cascade' }),
    subscription_id: integer(),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    recipient: text().notNull(),
    /** Somebody named the recipient; else it goes to the user's own address at that moment. */
    recipient_named: boolean().notNull().default(false),
    title: text().notNull(),
    content: text().notNull(),
    media_type: choice(messageMedia).notNull(),
    reminder_type: choice(reminderTypes).notNull(),
    /** It is about a payment that its order waits for: pointless once the order doesn't. */
    asks_payment: boolean().notNull().default(false),
    send_day: int4().notNull(),
    send_hours: smallint().notNull(),
    scheduled_at: instant().notNull(),
    status: choice(reminderStatuses).notNull(),
    sent_at: instant(),
    attempts: int4().notNull().default(0),
    last_error: text(),
    template_id: integer().references(() => reminderTemplates.id, { onDelete: 'set null' }),
    /** The end of the term that it is about, which tells the reminders of a subscription apart; empty for orders. */
    occurrence: text().notNull().default(''),
    resends: smallint().notNull().default(0),
    resends_since: instant(),
    ...changes,
  },
  (t) => [
    oneOf('reminders_status', t.status, reminderStatuses),
    oneOf('reminders_media_type', t.media_type, messageMedia),
    oneOf('reminders_type', t.reminder_type, reminderTypes),
    uniqueIndex('reminders_once').on(t.order_id, t.template_id, t.media_type, t.occurrence),
    index('reminders_due')
      .on(t.scheduled_at)
      .where(sql`${t.status} = 'pending'`),
    index('reminders_order').on(t.order_id, t.id),
    index('reminders_user').on(t.user_id, t.id),
    index('reminders_status_id').on(t.status, t.id),
    index('reminders_media').on(t.media_type, t.id),
    index('reminders_subscription').on(t.subscription_id, t.id),
  ],
);

export type ReminderRow = typeof reminders.$inferSelect;
