import type { Client } from 'pg';

/** The keys, people and addresses of the previous database. */
interface Previous {
  /** Keys that are revoked. */
  readonly keys: readonly string[];
  /** Keys that are not revoked. */
  readonly valid: readonly string[];
  /** Prefixes of secrets that have not expired. */
  readonly secrets: readonly string[];
  readonly blocked: readonly string[];
  readonly erased: readonly string[];
  readonly suppressed: readonly string[];
}

interface Undone {
  readonly keys: number;
  /** Keys that have been rotated, and whose former secret works again. */
  readonly rotated: number;
  readonly blocked: number;
  readonly erased: number;
  readonly suppressed: number;
}

/** Ends all sessions in a restored database. Those that were revoked after the backup would work again. */
export const endSessions = (restored: Client): Promise<unknown> =>
  restored.query('update users set sessions_valid_after = now()');

/** Counts what is revoked, rotated, blocked, erased or suppressed in the previous database, and not in the restored one. */
export async function countUndone(previous: Client, restored: Client): Promise<Undone | undefined> {
  const found = await previous.query<Previous>(
    `select array(select id from api_keys where revoked_at is not null) as keys,
            array(select id from api_keys where revoked_at is null) as valid,
            array(select prefix from api_key_secrets
                   where coalesce(expires_at > now(), true)) as secrets,
            array(select id from users where status = 'blocked') as blocked,
            array(select id from users where status = 'anonymised') as erased,
            array(select medium || ' ' || address from message_suppressions) as suppressed`,
  );
  const [now] = found.rows;
  const { rows } = await restored.query<Undone>(
    `select (select count(*)::int from api_keys where id = any ($1) and revoked_at is null) as keys,
            (select count(distinct api_key_id)::int from api_key_secrets
              where coalesce(expires_at > now(), true) and prefix <> all ($5)
                and api_key_id = any ($6)) as rotated,
            (select count(*)::int from users where id = any ($2) and status = 'active') as blocked,
            (select count(*)::int from users where id = any ($3) and status <> 'anonymised') as erased,
            (select count(*)::int from (
               select unnest($4::text[])
               except select medium || ' ' || address from message_suppressions) s) as suppressed`,
    [now?.keys, now?.blocked, now?.erased, now?.suppressed, now?.secrets, now?.valid],
  );
  return rows[0];
}

/** @param undone undefined if the previous database does not answer */
export const undoneText = (undone: Undone | undefined): string =>
  undone
    ? `The backup brought back ${undone.keys} of the revoked API keys, the former secrets of ${undone.rotated} rotated API keys, ${undone.blocked} of the blocked people, ${undone.erased} of the erased people and ${undone.suppressed} of the suppressed addresses: end them again (docs/backups.md)`
    : 'Repeat what was revoked, rotated, blocked, erased or suppressed after the backup (docs/backups.md)';
