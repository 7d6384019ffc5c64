import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { reminderDirections, messageMedia, reminderStatuses, reminderTypes } from './lists.ts';
import * as column from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** What is sent, and when: days before or after an order was placed or a subscription ends. */
export const reminderTemplates = pg.pgTable(
  'reminder_templates',
  {
    id: column.id(),
    type: column.choice(reminderTypes).notNull(),
    offset_days: pg.integer().notNull(),
    direction: column.choice(reminderDirections).notNull(),
    /** Hour of the day in the store's time zone. */
    hour: pg.smallint().notNull(),
    media: pg.text({ enum: messageMedia }).array().notNull(),
    title: pg.text().notNull(),
    content: pg.text().notNull(),
    active: pg.boolean().notNull().default(true),
    ...column.changes,
  },
  (t) => [
    column.oneOf('reminder_templates_type', t.type, reminderTypes),
    column.oneOf('reminder_templates_direction', t.direction, reminderDirections),
    pg.check('reminder_templates_hour', sql`${t.hour} between 0 and 23`),
  ],
);

/** Messages to buyers: scheduled, on their way, sent. */
export const reminders = pg.pgTable(
  'reminders',
  {
    id: column.id(),
    order_id: column.integer().references(() => orders.id, { onDelete: 'cascade' }),
    subscription_id: column.integer(),
    user_id: column.reference(() => users.id),
    recipient: pg.text().notNull(),
    /** Somebody named the recipient; else it goes to the user's own address at that moment. */
    recipient_named: pg.boolean().notNull().default(false),
    title: pg.text().notNull(),
    content: pg.text().notNull(),
    media_type: column.choice(messageMedia).notNull(),
    reminder_type: column.choice(reminderTypes).notNull(),
    /** It is about a payment that its order waits for: pointless once the order doesn't. */
    asks_payment: pg.boolean().notNull().default(false),
    send_day: pg.integer().notNull(),
    send_hours: pg.smallint().notNull(),
    scheduled_at: column.instant().notNull(),
    status: column.choice(reminderStatuses).notNull(),
    sent_at: column.instant(),
    attempts: pg.integer().notNull().default(0),
    last_error: pg.text(),
    template_id: column.integer().references(() => reminderTemplates.id, { onDelete: 'set null' }),
    /** Which of several times: the end of the term it speaks of; empty for orders. */
    occurrence: pg.text().notNull().default(''),
    resends: pg.smallint().notNull().default(0),
    resends_since: column.instant(),
    ...column.changes,
  },
  (t) => [
    column.oneOf('reminders_status', t.status, reminderStatuses),
    column.oneOf('reminders_media_type', t.media_type, messageMedia),
    column.oneOf('reminders_type', t.reminder_type, reminderTypes),
    pg.uniqueIndex('reminders_once').on(t.order_id, t.template_id, t.media_type, t.occurrence),
    pg
      .index('reminders_due')
      .on(t.scheduled_at)
      .where(sql`${t.status} = 'pending'`),
    pg.index('reminders_order').on(t.order_id, t.id),
    pg.index('reminders_user').on(t.user_id, t.id),
    pg.index('reminders_status_id').on(t.status, t.id),
    pg.index('reminders_media').on(t.media_type, t.id),
    pg.index('reminders_subscription').on(t.subscription_id, t.id),
  ],
);

export type ReminderRow = typeof reminders.$inferSelect;
