import { type SQL, sql } from 'drizzle-orm';
import { type Statement, raw } from '../kernel/database/statements.ts';
import { clicksCountFrom } from './clicks.ts';

/** The most rows that one statement removes. */
const batch = 1000;

/** @param order the order of the look-up, if the planner can't tell how few rows match */
const removeSome = (table: SQL, condition: SQL, order?: SQL): Statement =>
  raw(sql`delete from ${table} where ctid = any(array(
    select ctid from ${table} t where ${condition} ${order && sql`order by ${order}`} limit ${batch}))`);

/**
 * Removes rows of deleted webhooks. Looks them up by webhook, in the order of an index: few webhooks are deleted, and
 * the table is large.
 */
const removeOfDeleted = (table: SQL, order: SQL): Statement =>
  raw(sql`delete from ${table} where ctid = any(array(
    select r.row from webhooks w cross join lateral (
      select t.ctid as row from ${table} t where t.webhook_id = w.id order by ${order} limit ${batch}
    ) r where w.deleted_at is not null limit ${batch}))`);

/** Days for which the use of API keys is kept. */
const keyUseDays = 90;

interface Terms {
  readonly WEBHOOK_LOG_DAYS: number;
  readonly IDEMPOTENCY_DAYS: number;
  readonly AUDIT_DAYS: number;
  readonly MESSAGE_DAYS: number;
}

/** Rows to remove: their `column` is before `past`. */
interface Term {
  readonly table: SQL;
  readonly column: SQL;
  readonly past: SQL;
  /** A condition on the removed rows, found by index. */
  readonly only?: SQL;
}

function termsOf(
  { WEBHOOK_LOG_DAYS, IDEMPOTENCY_DAYS, AUDIT_DAYS, MESSAGE_DAYS }: Terms,
  now: Date,
) {
  const before = (days: number) =>
    sql`< ${new Date(now.getTime() - days * 86_400_000).toISOString()}::timestamptz`;
  const at = now.toISOString();
  return {
    replies: {
      table: sql`idempotency_keys`,
      column: sql`created_at`,
      past: before(IDEMPOTENCY_DAYS),
    },
    audits: { table: sql`audit_log`, column: sql`at`, past: before(AUDIT_DAYS) },
    messages: { table: sql`messages`, column: sql`created_at`, past: before(MESSAGE_DAYS) },
    revocations: { table: sql`revoked_sessions`, column: sql`expires_at`, past: before(0) },
    signIns: { table: sql`console_links`, column: sql`expires_at`, past: before(0) },
    signInCodes: { table: sql`console_codes`, column: sql`expires_at`, past: before(0) },
    consoleSessions: { table: sql`console_sessions`, column: sql`expires_at`, past: before(0) },
    keyUse: { table: sql`api_key_use`, column: sql`day`, past: before(keyUseDays) },
    keyRefusals: { table: sql`api_key_refusals`, column: sql`at`, past: before(keyUseDays) },
    accountCodes: { table: sql`account_codes`, column: sql`expires_at`, past: before(0) },
    accountLinks: { table: sql`account_links`, column: sql`expires_at`, past: before(0) },
    accountSessions: { table: sql`account_sessions`, column: sql`expires_at`, past: before(0) },
    // Forms without an order, which count towards limits for seven days.
    forms: {
      table: sql`purchase_forms`,
      column: sql`created_at`,
      past: before(8),
      only: sql`order_id is null`,
    },
    downloads: { table: sql`file_downloads`, column: sql`day`, past: before(2) },
    clicks: {
      table: sql`affiliate_clicks`,
      column: sql`at`,
      past: sql`<= ${clicksCountFrom(now)}`,
    },
    claims: { table: sql`payable_claims`, column: sql`held_until`, past: sql`<= ${at}` },
    attempts: { table: sql`webhook_log`, column: sql`at`, past: before(WEBHOOK_LOG_DAYS) },
    events: { table: sql`outbox`, column: sql`delivered_at`, past: before(WEBHOOK_LOG_DAYS) },
  } satisfies Record<string, Term>;
}

/** An SQL expression: true if a row's retention period is over. */
export const someExpired = (terms: Terms, now: Date): SQL =>
  sql.join(
    [
      ...Object.values<Term>(termsOf(terms, now)).map(
        ({ table, column, past, only = sql`true` }) =>
          sql`(select min(${column}) from ${table} where ${only}) ${past}`,
      ),
      sql`exists (select from webhooks where deleted_at is not null)`,
    ],
    sql` or `,
  );

/**
 * Removes rows after their retention period, a limited number of each. An event is removed after its attempts, and a
 * deleted webhook after everything that belongs to it.
 */
export function removeExpired(terms: Terms, now: Date): Statement[] {
  const { audits, messages, clicks, attempts, events, ...others } = termsOf(terms, now);
  const isPast = ({ column, past, only }: Term) =>
    sql`${column} ${past} ${only && sql`and ${only}`}`;
  const remove = (term: Term) => removeSome(term.table, isPast(term));
  return [
    ...Object.values(others).map(remove),
    remove(audits),
    removeSome(messages.table, isPast(messages), messages.column),
    removeSome(clicks.table, isPast(clicks), clicks.column),
    remove(attempts),
    removeOfDeleted(sql`webhook_log`, sql`t.id`),
    removeSome(
      events.table,
      sql`${isPast(events)} and not exists (select from webhook_log where ${isPast(attempts)})`,
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
