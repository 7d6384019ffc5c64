import { sql } from 'drizzle-orm';
import * as pg from 'drizzle-orm/pg-core';
import { reminderDirections, messageMedia, reminderStatuses, reminderTypes } from './lists.ts';
import {
  changes,
  choice,
  id,
  instant,
  integer,
  oneOf,
  reference,
} from '../kernel/database/columns.ts';
import { orders } from './orders.ts';
import { users } from './users.ts';

/** The text of a reminder, and its distance in days from the placing of an order or the end of a subscription. */
export const reminderTemplates = pg.pgTable(
  'reminder_templates',
  {
    id: id(),
    type: choice(reminderTypes).notNull(),
    offset_days: pg.integer().notNull(),
    direction: choice(reminderDirections).notNull(),
    /** Hour of the day in the store's time zone. */
    hour: pg.smallint().notNull(),
    media: pg.text({ enum: messageMedia }).array().notNull(),
    title: pg.text().notNull(),
    content: pg.text().notNull(),
    active: pg.boolean().notNull().default(true),
    ...changes,
  },
  (t) => [
    oneOf('reminder_templates_type', t.type, reminderTypes),
    oneOf('reminder_templates_direction', t.direction, reminderDirections),
    pg.check('reminder_templates_hour', sql`${t.hour} between 0 and 23`),
  ],
);

/** Messages to buyers: scheduled, on their way, sent. */
export const reminders = pg.pgTable(
  'reminders',
  {
    id: id(),
    order_id: integer().references(() => orders.id, { onDelete: 'cascade' }),
    subscription_id: integer(),
    user_id: reference(() => users.id),
    recipient: pg.text().notNull(),
    /** True if the recipient was named; otherwise it goes to the user's own address at that time. */
    recipient_named: pg.boolean().notNull().default(false),
    title: pg.text().notNull(),
    content: pg.text().notNull(),
    media_type: choice(messageMedia).notNull(),
    reminder_type: choice(reminderTypes).notNull(),
    /** True if it asks for a payment. It is not sent once the order no longer waits for one. */
    asks_payment: pg.boolean().notNull().default(false),
    send_day: pg.integer().notNull(),
    send_hours: pg.smallint().notNull(),
    scheduled_at: instant().notNull(),
    status: choice(reminderStatuses).notNull(),
    sent_at: instant(),
    attempts: pg.integer().notNull().default(0),
    last_error: pg.text(),
    template_id: integer().references(() => reminderTemplates.id, { onDelete: 'set null' }),
    /** The end of the subscription's term, which distinguishes its reminders; empty for orders. */
    occurrence: pg.text().notNull().default(''),
    resends: pg.smallint().notNull().default(0),
    resends_since: instant(),
    ...changes,
  },
  (t) => [
    oneOf('reminders_status', t.status, reminderStatuses),
    oneOf('reminders_media_type', t.media_type, messageMedia),
    oneOf('reminders_type', t.reminder_type, reminderTypes),
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
    pg
      .index('reminders_named')
      .on(t.id)
      .where(sql`${t.recipient_named}`),
  ],
);

export type ReminderRow = typeof reminders.$inferSelect;
