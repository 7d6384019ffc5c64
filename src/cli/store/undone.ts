import type { Client } from 'pg';

/** Keys, people and addresses that a database has revoked, blocked, erased or suppressed. */
interface Ended {
  readonly keys: readonly string[];
  readonly blocked: readonly string[];
  readonly erased: readonly string[];
  readonly suppressed: readonly string[];
}

type Undone = { readonly [name in keyof Ended]: number };

/** Ends all sessions in a restored database. Those that were revoked after the backup would work again. */
export const endSessions = (restored: Client): Promise<unknown> =>
  restored.query('update users set sessions_valid_after = now()');

/** Counts what is revoked, blocked, erased or suppressed in the previous database, and not in the restored one. */
export async function countUndone(previous: Client, restored: Client): Promise<Undone | undefined> {
  const ended = await previous.query<Ended>(
    `select array(select id from api_keys where revoked_at is not null) as keys,
            array(select id from users where status = 'blocked') as blocked,
            array(select id from users where status = 'anonymised') as erased,
            array(select medium || ' ' || address from message_suppressions) as suppressed`,
  );
  const [now] = ended.rows;
  const { rows } = await restored.query<Undone>(
    `select (select count(*)::int from api_keys where id = any ($1) and revoked_at is null) as keys,
            (select count(*)::int from users where id = any ($2) and status = 'active') as blocked,
            (select count(*)::int from users where id = any ($3) and status <> 'anonymised') as erased,
            (select count(*)::int from (
               select unnest($4::text[])
               except select medium || ' ' || address from message_suppressions) s) as suppressed`,
    [now?.keys, now?.blocked, now?.erased, now?.suppressed],
  );
  return rows[0];
}

/** @param undone undefined if the previous database does not answer */
export const undoneText = (undone: Undone | undefined): string =>
  undone
    ? `The backup brought back ${undone.keys} of the revoked API keys, ${undone.blocked} of the blocked people, ${undone.erased} of the erased people and ${undone.suppressed} of the suppressed addresses: end them again (docs/backups.md)`
    : 'Repeat what was revoked, blocked, erased or suppressed after the backup (docs/backups.md)';
