import { type SQL, and, eq, sql } from 'drizzle-orm';
import { paged } from '../../db/filters.ts';
import { reminderTemplates, reminders } from '../../db/schema/reminders.ts';
import { type Write, build, guard, raw } from '../../db/statements.ts';
import type { PageWindow } from '../../http/pagination.ts';
import type { OrderColumns } from '../orders/rules.ts';
import type { ReminderRow } from './rules.ts';
import type { ReminderQuery } from './schemas.ts';

export const findReminder = (id: number) =>
  build.select().from(reminders).where(eq(reminders.id, id));

function filters({ order_id, user_id, status, media_type }: ReminderQuery): (SQL | undefined)[] {
  return [
    order_id === undefined ? undefined : eq(reminders.order_id, order_id),
    user_id === undefined ? undefined : eq(reminders.user_id, user_id),
    status && eq(reminders.status, status),
    media_type && eq(reminders.media_type, media_type),
  ];
}

export const listReminders = (query: ReminderQuery, window: PageWindow) =>
  paged(build.select().from(reminders).$dynamic(), reminders.id, filters(query), window);

export const countReminders = (query: ReminderQuery) =>
  build
    .select({ total: sql<string>`count(*)`.mapWith(Number) })
    .from(reminders)
    .where(and(...filters(query)));

export const insertReminder = (reminder: ReminderRow) => build.insert(reminders).values(reminder);

/** Writes a reminder's new state over the version it was decided on. */
export const saveReminder = (before: ReminderRow, after: ReminderRow): Write =>
  guard(
    build
      .update(reminders)
      .set(after)
      .where(and(eq(reminders.id, before.id), eq(reminders.version, before.version)))
      .returning({ id: reminders.id }),
    'rest_conflict',
  );

export const removeReminder = ({ id, version }: ReminderRow): Write =>
  guard(
    build
      .delete(reminders)
      .where(and(eq(reminders.id, id), eq(reminders.version, version)))
      .returning({ id: reminders.id }),
    'rest_conflict',
  );

export const findTemplates = () =>
  build.select().from(reminderTemplates).orderBy(reminderTemplates.id);

export const findTemplate = (id: number) =>
  build.select().from(reminderTemplates).where(eq(reminderTemplates.id, id));

type TemplateRow = typeof reminderTemplates.$inferSelect;

export const insertTemplate = (template: TemplateRow) =>
  build.insert(reminderTemplates).values(template);

export const saveTemplate = (before: TemplateRow, after: TemplateRow): Write =>
  guard(
    build
      .update(reminderTemplates)
      .set(after)
      .where(
        and(eq(reminderTemplates.id, before.id), eq(reminderTemplates.version, before.version)),
      )
      .returning({ id: reminderTemplates.id }),
    'rest_conflict',
  );

export const removeTemplate = ({ id, version }: TemplateRow): Write =>
  guard(
    build
      .delete(reminderTemplates)
      .where(and(eq(reminderTemplates.id, id), eq(reminderTemplates.version, version)))
      .returning({ id: reminderTemplates.id }),
    'rest_conflict',
  );

/**
 * The rows that templates make of something with a moment of its own: a message for each medium the
 * buyer has an address of, at the template's hour in the store's time zone. What was scheduled before
 * and cancelled comes back; what was sent is not sent again; what would be in the past is left out.
 * @param source a FROM item `s (order_id, subscription_id, user_id, moment, occurrence)`
 */
const schedule = (type: 'order' | 'recurring', source: SQL, now: Date): Write =>
  raw(sql`
    insert into reminders as r (order_id, subscription_id, user_id, recipient, title, content,
      media_type, reminder_type, send_day, send_hours, scheduled_at, status, template_id,
      occurrence, created_at, updated_at)
    select s.order_id, s.subscription_id, s.user_id, a.recipient, t.title, t.content, m.media,
           ${type}, d.days, t.hour, w.at, 'pending', t.id, s.occurrence,
           ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
      from ${source}
      cross join settings
      join users u on u.id = s.user_id
      join reminder_templates t on t.active and t.type = ${type}
      cross join unnest(t.media) m (media)
      cross join lateral (select case m.media when 'email' then coalesce(u.email, '') else u.phone end) a (recipient)
      cross join lateral (select case t.direction when 'before' then -t.offset_days else t.offset_days end) d (days)
      cross join lateral (
        select ((s.moment at time zone settings.timezone)::date + d.days + make_interval(hours => t.hour))
               at time zone settings.timezone
      ) w (at)
     where a.recipient <> '' and w.at > ${now.toISOString()}::timestamptz
     order by t.id, m.media
    on conflict (order_id, template_id, media_type, occurrence) do update
      set status = 'pending', scheduled_at = excluded.scheduled_at, updated_at = excluded.updated_at,
          version = r.version + 1
    where r.status = 'cancelled'`);

/** Schedules what the templates say of an order that waits for its payment. */
export const scheduleForOrder = ({ id, user_id, created_at }: OrderColumns, now: Date): Write =>
  schedule(
    'order',
    sql`(values (${id}::bigint, null::bigint, ${user_id}::bigint, ${created_at}::timestamptz, ''))
      s (order_id, subscription_id, user_id, moment, occurrence)`,
    now,
  );

/** The chain an order belongs to: its first order. */
const chainOf = ({ id, order_parent_id }: OrderColumns) => order_parent_id ?? id;

/** Schedules what the templates say of the end of the subscription that an order belongs to. */
export const scheduleForTerm = (order: OrderColumns, now: Date): Write =>
  schedule(
    'recurring',
    sql`(select first_order_id, id, user_id, end_date,
                to_char(end_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
           from subscriptions
          where first_order_id = ${chainOf(order)} and status = 'active' and end_date is not null)
      s (order_id, subscription_id, user_id, moment, occurrence)`,
    now,
  );

/** Cancels what waits to be sent about an order's payment. */
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
        eq(reminders.reminder_type, 'order'),
        eq(reminders.status, 'pending'),
      ),
    );

/** Cancels what speaks of an end that the subscription no longer has, be it past or to come. */
export const cancelForTerm = (order: OrderColumns, now: Date): Write =>
  raw(sql`
    update reminders r
       set status = 'cancelled', updated_at = ${now.toISOString()}::timestamptz, version = r.version + 1
     where r.order_id = ${chainOf(order)} and r.reminder_type = 'recurring' and r.status = 'pending'
       and not exists (
         select from subscriptions s
          where s.first_order_id = r.order_id and s.status in ('active', 'expired')
            and to_char(s.end_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') = r.occurrence)`);
