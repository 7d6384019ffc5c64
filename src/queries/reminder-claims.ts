import { type SQL, sql } from 'drizzle-orm';
import { type Statement, raw } from '../kernel/database/statements.ts';
import { type ReminderRow, reminders } from '../schema/reminders.ts';
import { users } from '../schema/users.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { publishEvents } from '../kernel/events/outbox.ts';
import { recipientNow } from './reminders.ts';

/** A reminder that was taken for sending, with what its placeholders stand for. */
export type DueReminder = {
  readonly reminder: ReminderRow;
  readonly name: string;
  readonly number: string | null;
  readonly product: string | null;
  /** What is to be paid: for the order, or for another term. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly exponent: number;
  /** The last day of the subscription in the store's time zone, `2026-01-31`. */
  readonly end_date: string | null;
};

/**
 * How long a taken reminder is nobody else's, in seconds: the minute that one may be late. What is taken
 * together has to go out at once: so it is sent within 15 seconds, and written back within 10 more.
 */
const leaseSeconds = 60;

/** Takes due reminders for sending, and those whose sender was cut off; each to its recipient of now. */
export const claimDue = (token: string, most: number, now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return raw<DueReminder>(sql`
    with due as (
      select id from reminders
       where status in ('pending', 'sending') and scheduled_at <= ${at}
         and (lease_until is null or lease_until <= ${at})
       order by scheduled_at limit ${most} for update skip locked
    ), taken as (
      update reminders
         set status = 'sending', attempts = attempts + 1, version = reminders.version + 1,
             recipient = ${recipientNow}, updated_at = ${at}, lease_token = ${token}::uuid,
             lease_until = ${at} + make_interval(secs => ${leaseSeconds})
        from due, users
       where ${reminders.id} = due.id and ${users.id} = ${reminders.user_id}
      returning reminders.*
    )
    select to_jsonb(t) as reminder, u.display_name as name, o.number, p.title as product,
           case t.reminder_type
             when 'order' then o.grand_total
             when 'recurring' then coalesce(nullif((p.subscription #>> '{regular,price}')::bigint, 0), p.price)
           end::text as amount,
           o.currency, s.currency_exponent as exponent,
           to_char(sub.end_date at time zone s.timezone, 'YYYY-MM-DD') as end_date
      from taken t
      cross join settings s
      join users u on u.id = t.user_id
      left join orders o on o.id = t.order_id
      left join products p on p.id = o.product_id
      left join subscriptions sub on sub.id = t.subscription_id
     order by t.scheduled_at`);
};

/**
 * The moment from which on there is something to take; an SQL expression, null where nothing waits. Of
 * those whose time has come some are on their way or wait for another try.
 */
export const nextReminder = (now: Date): SQL => {
  const at = sql`${now.toISOString()}::timestamptz`;
  const waiting = sql`status in ('pending', 'sending')`;
  return sql`least(
    (select min(scheduled_at) from reminders
      where ${waiting} and (lease_until is null or lease_until <= ${at})),
    (select min(lease_until) from reminders
      where ${waiting} and scheduled_at <= ${at} and lease_until > ${at}))`;
};

/** What became of a reminder. */
export interface Sent {
  readonly id: number;
  readonly status: 'sent' | 'failed' | 'pending';
  readonly error: string | null;
  /** When a failed attempt is made again. */
  readonly retryAt: string | null;
  readonly event: DomainEvent | undefined;
}

/** Writes back what became of a reminder, with its event, while it is still ours. */
export function recordSent(token: string, sent: Sent, now: Date): Statement[] {
  const { id, status, error, retryAt, event } = sent;
  const at = sql`${now.toISOString()}::timestamptz`;
  const sentAt = status === 'sent' ? at : sql`sent_at`;
  const update = raw(sql`
    update reminders set status = ${status}, last_error = ${error}, sent_at = ${sentAt},
           lease_until = ${retryAt}::timestamptz, updated_at = ${at}, version = version + 1
     where id = ${id} and lease_token = ${token}::uuid and status = 'sending'`);
  if (!event) return [update];
  const publish = raw(sql`select ${publishEvents([event], now)} from reminders
    where id = ${id} and lease_token = ${token}::uuid and status = ${status}`);
  return [update, publish];
}
