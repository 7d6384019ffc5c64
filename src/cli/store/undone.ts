import type { Client } from 'pg';
import { withDatabase } from '../support/database.ts';
import { type ChangeKind, moves, records, withdrawals } from './changes.ts';
import { placeOf } from './databases.ts';

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

const changes = { ...moves, ...withdrawals, ...records };

/** Ids in a previous database of changes that the restored one lacks. */
type Lost = Readonly<Record<keyof typeof changes, readonly string[]>>;

/** The differences between previous databases and a restored one. */
export interface Differences {
  /** Ids and addresses, by kind. */
  readonly found: Undone & Lost;
  /** The places of the databases that were compared. */
  readonly compared: readonly string[];
  /** The reasons why databases could not be compared. */
  readonly unread: readonly string[];
}

/**
 * Finds changes in previous databases that the restored one lacks: money that moved, rights that were taken away, and
 * records that changed otherwise.
 * Restores in a row have several previous databases.
 * @param previous addresses
 * @param since the time of the backup
 */
export async function findDifferences(
  previous: readonly string[],
  restored: Client,
  since: string,
): Promise<Differences> {
  const all: (Undone & Lost & { place: string })[] = [];
  const unread: string[] = [];
  for (const url of previous) {
    const place = placeOf({ direct: url });
    await withDatabase(url, async (before) => ({
      place,
      ...(await compare(before, restored)),
      ...(await compareChanges(before, restored, since)),
    })).then(
      (one) => all.push(one),
      (error: Error) => unread.push(`${place}: ${error.message}`),
    );
  }
  const united = Object.keys({ ...changes, ...endings }).map((kind) => [
    kind,
    [...new Set(all.flatMap((one) => one[kind as keyof (Undone & Lost)]))],
  ]);
  const compared = all.map(({ place }) => place);
  return { found: Object.fromEntries(united) as Undone & Lost, compared, unread };
}

/** Goes an hour further than the backup, either way: clocks differ, and changes that the backup has are known. */
async function compareChanges(previous: Client, restored: Client, since: string): Promise<Lost> {
  const at = (ms: number) => new Date(Date.parse(since) + ms);
  const [from, until] = [at(-3_600_000), at(3_600_000)] as const;
  const lost: [string, readonly string[]][] = [];
  for (const [name, { ids, lost: query, needsEnd }] of Object.entries<ChangeKind>(changes)) {
    const known = await knownIds(previous, ids, from);
    const values = needsEnd ? [known, until] : [known];
    const { rows } = known ? await restored.query<{ id: string }>(query, values) : { rows: [] };
    lost.push([name, rows.map(({ id }) => id)]);
  }
  return Object.fromEntries(lost) as Lost;
}

/** Codes for a table or a column that a former version lacks: it could not make such a change. */
const absentCodes = ['42P01', '42703'];

/** Returns undefined if the previous database lacks the table or a column. */
const knownIds = (previous: Client, query: string, from: Date): Promise<string[] | undefined> =>
  previous.query<{ id: string }>(query, [from]).then(
    ({ rows }) => rows.map(({ id }) => id),
    (error: Error & { code?: string }) => {
      if (absentCodes.includes(error.code ?? '')) return undefined;
      throw error;
    },
  );

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

const endings: Readonly<Record<keyof Undone, { readonly label: string }>> = {
  keys: { label: 'revoked API keys' },
  rotated: { label: 'rotated API keys, whose former secrets work again' },
  blocked: { label: 'blocked people' },
  erased: { label: 'erased people' },
  suppressed: { label: 'suppressed addresses' },
};

/** The number of ids that a line names. */
const named = 20;

/** Names the records of a kind, but no addresses: those are personal data. */
function idsOf(kind: string, ids: readonly string[]): string {
  if (kind === 'suppressed') return '';
  const title = ids.every((id) => /^\d+$/.test(id)) ? 'id ' : '';
  const more = ids.length > named ? ', …' : '';
  return ` (${title}${ids.slice(0, named).join(', ')}${more})`;
}

/** Says what a person has to do after a restore, one kind a line. */
export function differencesText({ found, compared, unread }: Differences): string {
  const counted = (kinds: Readonly<Record<string, { readonly label: string }>>) =>
    Object.entries(kinds).flatMap(([kind, { label }]) => {
      const ids = found[kind as keyof typeof found];
      return ids.length > 0 ? [`${label}: ${ids.length}${idsOf(kind, ids)}`] : [];
    });
  const lines = [
    ...titled(
      'The store no longer has what came after the backup. Enter it again before you refund or pay out anything (docs/backups.md):',
      counted(moves),
    ),
    ...titled(
      'The backup brought back what had been ended. End it again (docs/backups.md):',
      counted({ ...endings, ...withdrawals }),
    ),
    ...titled(
      'Records that were added or changed after the backup, including those above:',
      counted(records),
    ),
    ...titled(
      'Not compared. Ask the database yourself for payouts, refunds, orders and everything that was ended after the backup (docs/backups.md):',
      unread,
    ),
  ];
  const none =
    'Compared with no database: OLD_DATABASES names none that was in use after the backup. If there is one, ask it yourself (docs/backups.md).';
  if (compared.length === 0) return lines.length > 0 ? lines.join('\n') : none;
  const title = `Compared with ${compared.join(', ')}:`;
  const nothing = 'the restore undid none of the changes that docs/backups.md lists.';
  return lines.length > 0 ? [title, ...lines].join('\n') : `${title} ${nothing}`;
}

const titled = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];
