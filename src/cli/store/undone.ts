import type { Client } from 'pg';
import { withDatabase } from '../support/database.ts';

/** The keys, people and addresses of a previous database. */
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

/** Ids and addresses that a backup brought back. */
interface Undone {
  readonly keys: readonly string[];
  /** Keys that have been rotated, and whose former secret works again. */
  readonly rotated: readonly string[];
  readonly blocked: readonly string[];
  readonly erased: readonly string[];
  readonly suppressed: readonly string[];
}

/** Ends all sessions in a restored database. Those that were revoked in a previous one would work again. */
export const endSessions = (restored: Client): Promise<unknown> =>
  restored.query('update users set sessions_valid_after = now()');

/**
 * Finds what is revoked, rotated, blocked, erased or suppressed in a previous database, and not in the restored one.
 * Restores in a row have several previous databases.
 * @param previous addresses
 */
export async function findUndone(previous: readonly string[], restored: Client): Promise<Undone> {
  const all: Undone[] = [];
  for (const url of previous)
    all.push(await withDatabase(url, (before) => compare(before, restored)));
  const united = (name: keyof Undone) => [...new Set(all.flatMap((one) => one[name]))];
  return {
    keys: united('keys'),
    rotated: united('rotated'),
    blocked: united('blocked'),
    erased: united('erased'),
    suppressed: united('suppressed'),
  };
}

async function compare(previous: Client, restored: Client): Promise<Undone> {
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
    `select array(select id from api_keys where id = any ($1) and revoked_at is null) as keys,
            array(select api_key_id from api_key_secrets
                   where coalesce(expires_at > now(), true) and prefix <> all ($5)
                     and api_key_id = any ($6)) as rotated,
            array(select id from users where id = any ($2) and status = 'active') as blocked,
            array(select id from users where id = any ($3) and status <> 'anonymised') as erased,
            array(select unnest($4::text[])
                  except select medium || ' ' || address from message_suppressions) as suppressed`,
    [now?.keys, now?.blocked, now?.erased, now?.suppressed, now?.secrets, now?.valid],
  );
  const [undone] = rows;
  if (!undone) throw new Error('The restored database did not answer.');
  return undone;
}

/** @param undone undefined if a previous database does not answer */
export const undoneText = (undone: Undone | undefined): string =>
  undone
    ? `The backup brought back ${undone.keys.length} of the revoked API keys, the former secrets of ${undone.rotated.length} rotated API keys, ${undone.blocked.length} of the blocked people, ${undone.erased.length} of the erased people and ${undone.suppressed.length} of the suppressed addresses: end them again (docs/backups.md)`
    : 'Repeat what was revoked, rotated, blocked, erased or suppressed after the backup (docs/backups.md)';
