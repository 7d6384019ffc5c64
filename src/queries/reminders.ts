import { type SQL, and, eq, getTableColumns, sql } from 'drizzle-orm';
import { type Window, countRows, equals, inStatuses, paged } from '../kernel/database/filters.ts';
import { orders, type OrderColumns } from '../schema/orders.ts';
import { reminderTemplates, reminders, type ReminderRow } from '../schema/reminders.ts';
import { users } from '../schema/users.ts';
import { type Argument, type Write, build, raw } from '../kernel/database/statements.ts';
import { deleteRow, updateRow } from '../kernel/database/versions.ts';
import type { ConditionsFor } from '../kernel/lists/query.ts';
import { reminderStatuses } from '../schema/lists.ts';
import type { ReminderQuery } from '../domain/reminder/schemas.ts';

/** The present address of a reminder's recipient: as named, otherwise the user's own. */
export const recipientNow = sql<string>`case
  when ${reminders.recipient_named} then ${reminders.recipient}
  when ${reminders.media_type} = 'email' then coalesce(${users.email}, '')
  else ${users.phone} end`;

const columns = {
  ...getTableColumns(reminders),
  recipient: sql<string>`case when ${reminders.status} in ('pending', 'cancelled')
    then ${recipientNow} else ${reminders.recipient} end`,
};

const selectReminders = () =>
  build.select(columns).from(reminders).innerJoin(users, eq(users.id, reminders.user_id));

export const findReminder = (id: Argument<number>) => selectReminders().where(eq(reminders.id, id));

/** Data that decide if a reminder is still sent. */
export const findOutlook = (id: number) =>
  build
    .select({ recipient: recipientNow, order_status: orders.status })
    .from(reminders)
    .innerJoin(users, eq(users.id, reminders.user_id))
    .leftJoin(orders, eq(orders.id, reminders.order_id))
    .where(eq(reminders.id, id));

const filters = ({
  order_id,
  user_id,
  status,
  media_type,
}: ReminderQuery): ConditionsFor<ReminderQuery> => ({
  ...equals(reminders, { order_id, user_id, status, media_type }),
});

export const listReminders = (query: ReminderQuery, window: Window) =>
  paged(selectReminders().$dynamic(), reminders.id, filters(query), window);

export const countReminders = (query: ReminderQuery) =>
  countRows(inStatuses('reminders', reminderStatuses, query.status), reminders, filters(query), [
    'status',
  ]);

export const insertReminder = (reminder: ReminderRow) => build.insert(reminders).values(reminder);

export const saveReminder = (before: ReminderRow, after: ReminderRow) =>
  updateRow(reminders, before, after);

export const removeReminder = (before: ReminderRow) => deleteRow(reminders, before);

export const findTemplates = () =>
  build.select().from(reminderTemplates).orderBy(reminderTemplates.id);

export const findTemplate = (id: number) =>
  build.select().from(reminderTemplates).where(eq(reminderTemplates.id, id));

type TemplateRow = typeof reminderTemplates.$inferSelect;

export const insertTemplate = (template: TemplateRow) =>
  build.insert(reminderTemplates).values(template);

export const saveTemplate = (before: TemplateRow, after: TemplateRow) =>
  updateRow(reminderTemplates, before, after);

export const removeTemplate = (before: TemplateRow) => deleteRow(reminderTemplates, before);

/** Schedules reminders by the templates for an order that waits for its payment. */
export const scheduleForOrder = ({ id, user_id, created_at }: OrderColumns, now: Date): Write =>
  raw(sql`select svc_schedule_reminders('order', ${id}, null, ${user_id}, ${created_at}, '',
    ${now.toISOString()})`);

/** Formats the end of a subscription as reminders store it. */
export const occurrenceOf = (end: SQL) =>
  sql`to_char(${end} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** The due time of a subscription, an SQL alias: the next instalment's, otherwise its end. */
export const dueOf = (alias: SQL) => sql`coalesce(${alias}.next_due, ${alias}.end_date)`;

/** Matches a subscription whose renewal is awaited, or was until its time ran out. */
export const isAwaited = (alias: SQL) => sql`${alias}.status in ('active', 'expired')
  and ${alias}.cancelled_at is null and (${alias}.payments is null or ${alias}.paid < ${alias}.payments)`;

/** Schedules reminders by the templates for the end of a first order's subscription. */
export const scheduleForTerm = (first_order_id: number, now: Date): Write =>
  raw(sql`
    select svc_schedule_reminders('recurring', s.first_order_id, s.id, s.user_id, ${dueOf(sql`s`)},
             ${occurrenceOf(dueOf(sql`s`))}, ${now.toISOString()})
      from subscriptions s
     where s.first_order_id = ${first_order_id} and s.status = 'active' and ${isAwaited(sql`s`)}
       and ${dueOf(sql`s`)} is not null`);

/** Cancels an order's waiting payment reminders. */
export const cancelForOrder = ({ id }: OrderColumns, now: Date): Write =>
  build
    .update(reminders)
    .set({
      status: 'cancelled',
      updated_at: now.toISOString(),
      version: sql`${reminders.version} + 1`,
    })
    .where(
      and(
        eq(reminders.order_id, id),
        eq(reminders.asks_payment, true),
        eq(reminders.status, 'pending'),
      ),
    );

/** Cancels reminders of an end that the subscription no longer has. */
export const cancelForTerm = (first_order_id: number, now: Date): Write =>
  raw(sql`
    update reminders r
       set status = 'cancelled', updated_at = ${now.toISOString()}::timestamptz, version = r.version + 1
     where r.order_id = ${first_order_id} and r.reminder_type = 'recurring' and r.status = 'pending'
       and not exists (
         select from subscriptions s
          where s.first_order_id = r.order_id and ${isAwaited(sql`s`)}
            and ${occurrenceOf(dueOf(sql`s`))} = r.occurrence)`);
