import { and, asc, eq, lte, not, sql } from 'drizzle-orm';
import { build } from '../kernel/database/statements.ts';
import { updateRow } from '../kernel/database/versions.ts';
import { overStatus } from '../domain/subscription/rules.ts';
import { type SubscriptionColumns, subscriptions } from '../schema/subscriptions.ts';
import { selectSubscriptions } from './subscriptions.ts';

const isOver = (now: Date) =>
  and(eq(subscriptions.status, 'active'), lte(subscriptions.end_date, now.toISOString()));

const givesGroup = sql`exists (select from subscription_terms t join group_moves m on m.order_id = t.order_id
  where t.first_order_id = ${subscriptions.first_order_id} and m.user_id = ${subscriptions.user_id})`;

/** Subscriptions without a group to take back whose end has come but isn't recorded, oldest first. */
export const findOver = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(and(isOver(now), not(givesGroup)))
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

/** Subscriptions with a group to take back whose end has come but isn't recorded, oldest first. */
export const findOverInGroup = (now: Date, limit: number) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(isOver(now), givesGroup))
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

const endsLicense = sql`exists (select from licenses l where l.order_id = ${subscriptions.first_order_id}
  and l.status = 'active' and (l.expires_at is null or l.expires_at > ${subscriptions.end_date}))`;

/**
 * Finds subscriptions whose end isn't recorded yet and makes a licence invalid before its own end, oldest first.
 * @param id limits the result to this subscription
 */
export const findOverLicensed = (now: Date, limit: number, id?: number) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(isOver(now), id === undefined ? not(givesGroup) : eq(subscriptions.id, id), endsLicense),
    )
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time of the next end; null if there is none. */
export const nextEnd = sql`(select min(${subscriptions.end_date}) from ${subscriptions}
  where ${subscriptions.status} = 'active')`;

/** Records the end of a subscription, if it is unchanged. */
export const expireSubscription = (before: SubscriptionColumns, now: Date) =>
  note(before, { status: overStatus(before.cancelled_at) }, now);

const note = (before: SubscriptionColumns, fields: Partial<SubscriptionColumns>, now: Date) =>
  updateRow(subscriptions, before, {
    ...before,
    ...fields,
    updated_at: now.toISOString(),
    version: before.version + 1,
  });

const unannounced = sql`${subscriptions.status} = 'active' and ${subscriptions.cancelled_at} is null
  and ${subscriptions.announced_end} is distinct from ${subscriptions.end_date}`;

/** The time before a subscription's end at which it is announced. */
const ahead = sql`interval '72 hours'`;

/** Subscriptions with an end to announce, soonest first. */
export const findEnding = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(
      and(
        unannounced,
        lte(subscriptions.end_date, sql`${now.toISOString()}::timestamptz + ${ahead}`),
      ),
    )
    .orderBy(asc(subscriptions.end_date), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time of the next announcement; null if there is none. */
export const nextAnnouncement = sql`(select min(${subscriptions.end_date}) - ${ahead} from ${subscriptions}
  where ${unannounced})`;

/** Records that an end was announced, if the subscription is unchanged. */
export const announceEnd = (before: SubscriptionColumns, now: Date) =>
  note(before, { announced_end: before.end_date }, now);

const overdue = sql`${subscriptions.status} = 'active' and ${subscriptions.cancelled_at} is null
  and ${subscriptions.announced_due} is distinct from ${subscriptions.next_due}
  and ${subscriptions.next_due} < ${subscriptions.end_date}`;

/** Subscriptions with an overdue payment to announce, longest overdue first. */
export const findOverdue = (now: Date, limit: number) =>
  selectSubscriptions()
    .where(and(overdue, lte(subscriptions.next_due, now.toISOString())))
    .orderBy(asc(subscriptions.next_due), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time at which the next payment is overdue; null if there is none. */
export const nextOverdue = sql`(select min(${subscriptions.next_due}) from ${subscriptions}
  where ${overdue})`;

/** Records that an overdue payment was announced, if the subscription is unchanged. */
export const announceOverdue = (before: SubscriptionColumns, now: Date) =>
  note(before, { announced_due: before.next_due }, now);

/** Subscriptions whose pause is over, oldest first. */
export const findResuming = (now: Date, limit: number) =>
  build
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(eq(subscriptions.status, 'paused'), lte(subscriptions.resumes_at, now.toISOString())),
    )
    .orderBy(asc(subscriptions.resumes_at), asc(subscriptions.id))
    .limit(limit);

/** An SQL expression: the time at which the next pause ends by itself; null if there is none. */
export const nextResuming = sql`(select min(${subscriptions.resumes_at}) from ${subscriptions}
  where ${subscriptions.status} = 'paused')`;
