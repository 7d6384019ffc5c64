import { type SQL, sql } from 'drizzle-orm';
import { type Statement, raw } from '../kernel/database/statements.ts';
import { clicksCountFrom } from './clicks.ts';

/** Most rows that one statement removes: what is left is for the next run. */
const batch = 1000;

/** @param order by which the rows are looked up where the planner can't tell how few they are */
const removeSome = (table: SQL, condition: SQL, order?: SQL): Statement =>
  raw(sql`delete from ${table} where ctid = any(array(
    select ctid from ${table} t where ${condition} ${order && sql`order by ${order}`} limit ${batch}))`);

/**
 * Removes rows of deleted webhooks. They are looked up by webhook, in the order of an index: there is
 * seldom a deleted one, and the table is large.
 */
const removeOfDeleted = (table: SQL, order: SQL): Statement =>
  raw(sql`delete from ${table} where ctid = any(array(
    select r.row from webhooks w cross join lateral (
      select t.ctid as row from ${table} t where t.webhook_id = w.id order by ${order} limit ${batch}
    ) r where w.deleted_at is not null limit ${batch}))`);

/** How long things are kept. */
interface Terms {
  readonly WEBHOOK_LOG_DAYS: number;
  readonly IDEMPOTENCY_DAYS: number;
  readonly AUDIT_DAYS: number;
}

/**
 * Removes what is past its term, a limited number of rows each. An attempt's event goes after the
 * attempt, a deleted webhook after everything that is its.
 */
export function removeExpired(terms: Terms, now: Date): Statement[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const logged = daysAgo(terms.WEBHOOK_LOG_DAYS);
  return [
    removeSome(sql`idempotency_keys`, sql`created_at < ${daysAgo(terms.IDEMPOTENCY_DAYS)}`),
    removeSome(sql`audit_log`, sql`at < ${daysAgo(terms.AUDIT_DAYS)}`),
    removeSome(sql`revoked_sessions`, sql`expires_at < ${now.toISOString()}`),
    removeSome(sql`affiliate_clicks`, sql`at <= ${clicksCountFrom(now)}`, sql`at`),
    removeSome(sql`payable_claims`, sql`held_until <= ${now.toISOString()}`),
    removeSome(sql`webhook_log`, sql`at < ${logged}`),
    removeOfDeleted(sql`webhook_log`, sql`t.id`),
    removeSome(
      sql`outbox`,
      sql`delivered_at < ${logged} and not exists (select from webhook_log where at < ${logged})`,
    ),
    removeOfDeleted(sql`outbox`, sql`t.created_at, t.id`),
    removeSome(
      sql`webhooks`,
      sql`deleted_at is not null
        and not exists (select from webhook_log l where l.webhook_id = t.id)
        and not exists (select from outbox o where o.webhook_id = t.id)`,
    ),
  ];
}
