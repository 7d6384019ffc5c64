import { calculateJwkThumbprint } from 'jose';
import type { Client } from 'pg';
import { randomBase62 } from '../../lib/base62.ts';
import { hashToken, readPeppers } from '../../kernel/auth/secret-token.ts';
import { readSessionKeys } from '../../kernel/auth/session-token.ts';
import { Refused } from './command.ts';
import { inTransaction } from './statements.ts';

/** A deployment, as far as a command knows it. */
export interface DeploymentClaim {
  readonly address?: string | undefined;
  readonly environment?: string | undefined;
  readonly peppers?: string | undefined;
  readonly sessionKeys?: string | undefined;
}

/** The row in a database that identifies its store. */
interface StoreMark {
  readonly store_id: string;
  readonly address: string | null;
  readonly environment: string | null;
  /** Newest first, like those of session keys. */
  readonly pepper_checks: readonly string[];
  readonly session_key_checks: readonly string[];
}

/** A claim in the form of the row. */
type MarkedClaim = Partial<Omit<StoreMark, 'store_id'>>;

/** The hashed text for checking peppers. No key or link has its form. */
const CHECKED_TEXT = 'whose peppers are these?';

/** Hexadecimal digits stored of a check value. */
const CHECK_DIGITS = 32;

/** The environment of a database that its store left by a restore. Versions that don't know it refuse it as another one. */
const replaced = 'a database that a restore has replaced';

async function pepperChecksOf(text: string): Promise<string[]> {
  const hashes = await hashToken(CHECKED_TEXT, await readPeppers(text));
  return hashes.map(({ version, hash }) => `${version}:${hash.slice(0, CHECK_DIGITS)}`);
}

async function sessionKeyChecksOf(json: string): Promise<string[]> {
  const { all } = await readSessionKeys(json);
  return Promise.all(
    all.map(({ jwk: { kty, crv, x } }) => calculateJwkThumbprint({ kty, crv, x })),
  );
}

async function markedClaim(claim: DeploymentClaim): Promise<MarkedClaim> {
  const { address, environment, peppers, sessionKeys } = claim;
  return {
    ...(address && { address: new URL(address).origin }),
    ...(environment && { environment }),
    ...(peppers && { pepper_checks: await pepperChecksOf(peppers) }),
    ...(sessionKeys && { session_key_checks: await sessionKeyChecksOf(sessionKeys) }),
  };
}

const find =
  'select store_id, address, environment, pepper_checks, session_key_checks from store_mark';

async function hasMarks(client: Client): Promise<boolean> {
  const { rows } = await client.query("select where to_regclass('store_mark') is not null");
  return rows.length > 0;
}

/** Reads the mark of a database; none if no command has marked it yet. */
export async function readMark(client: Client): Promise<StoreMark | undefined> {
  if (!(await hasMarks(client))) return undefined;
  return (await client.query<StoreMark>(find)).rows[0];
}

/** Reads the address of the store in a database, which may have an earlier schema. */
export async function readAddress(client: Client): Promise<string | undefined> {
  if (!(await hasMarks(client))) return undefined;
  const { rows } = await client.query<Pick<StoreMark, 'address'>>('select address from store_mark');
  return rows[0]?.address ?? undefined;
}

/**
 * Refuses another store's database, and another store's secrets. Nothing is written.
 * @throws Refused
 */
export async function refuseOtherStore(client: Client, claim: DeploymentClaim): Promise<void> {
  const mark = await readMark(client);
  if (mark) compare(mark, await markedClaim(claim));
}

/** @throws Refused if its store has left the database by a restore */
export function refuseReplaced({ environment, address, store_id }: StoreMark): void {
  if (environment === replaced)
    throw new Refused(
      `The store ${address ?? `with the id ${store_id}`} has left this database: a restore has put another one in its place, which has its newer orders. The connection strings are a copy from before the restore. Use today's stores/NAME.secrets. To go back to this database on purpose, note and mark the present one first, then adopt: docs/backups.md, "Going back to another database".`,
    );
}

/**
 * Marks a database as left by its store. Commands refuse it from then on, and so do workers that know its former id.
 * @param current the id in the mark of the database that replaces it
 * @returns false for a database without a mark of this store
 */
export async function markReplaced(
  client: Client,
  address: string,
  current: string,
): Promise<boolean> {
  if (!(await hasMarks(client))) return false;
  const { rowCount } = await client.query(
    'update store_mark set store_id = $1, environment = $2 where store_id <> $3 and address = $4',
    [randomBase62(12), replaced, current, new URL(address).origin],
  );
  return rowCount === 1;
}

/**
 * Marks a database as a deployment's, or completes its mark.
 * @param isMoved moves the store to the claimed address and secrets, whatever the mark says, and forgets former secrets
 * @returns the store's id
 * @throws Refused if the mark is another deployment's
 */
export async function markStore(
  client: Client,
  claim: DeploymentClaim,
  isMoved = false,
): Promise<string> {
  const claimed = await markedClaim(claim);
  return inTransaction(client, async () => {
    await client.query('insert into store_mark (store_id) values ($1) on conflict do nothing', [
      randomBase62(12),
    ]);
    const { rows } = await client.query<StoreMark>(`${find} for update`);
    const mark = rows[0] as StoreMark;
    if (!isMoved) compare(mark, claimed);
    const kept = (name: 'pepper_checks' | 'session_key_checks') =>
      isMoved && claimed[name] ? claimed[name] : union(claimed[name], mark[name]);
    await client.query(
      `update store_mark set address = $1, environment = $2, pepper_checks = $3, session_key_checks = $4`,
      [
        claimed.address ?? mark.address,
        claimed.environment ?? (mark.environment === replaced ? null : mark.environment),
        JSON.stringify(kept('pepper_checks')),
        JSON.stringify(kept('session_key_checks')),
      ],
    );
    return mark.store_id;
  });
}

/** Records an export of the whole store and its time, if the schema has the table for it. */
export async function noteBackup(client: Client, at: string): Promise<void> {
  if (!(await hasMarks(client))) return;
  await client.query(
    `insert into store_mark (store_id, backed_up_at) values ($1, $2)
      on conflict (id) do update set backed_up_at = excluded.backed_up_at`,
    [randomBase62(12), at],
  );
}

const union = (some: readonly string[] = [], others: readonly string[]) => [
  ...new Set([...some, ...others]),
];

/** @throws Refused */
function compare(mark: StoreMark, claimed: MarkedClaim): void {
  refuseReplaced(mark);
  const store = mark.address ?? `with the id ${mark.store_id}`;
  const { address, environment, pepper_checks, session_key_checks } = claimed;
  if (address && mark.address && address !== mark.address)
    throw new Refused(
      `The database belongs to the store ${store}, not to ${address}. If the store itself moves there: npm run store -- adopt NAME, or, by hand, npm run migrate -- --adopt`,
    );
  if (environment && mark.environment && environment !== mark.environment)
    throw new Refused(
      `The database belongs to the store ${store} in ${mark.environment}, not in ${environment}.`,
    );
  if (areOthers(pepper_checks, mark.pepper_checks))
    throw new Refused(
      `API_KEY_PEPPERS are not those of the store ${store}: a key or a link made with them would never work. Use those of its deployment. After a rotation, give both once, the new one first: "2:<new> 1:<old>".`,
    );
  if (areFormer(pepper_checks, mark.pepper_checks))
    throw new Refused(formerText('API_KEY_PEPPERS', store));
  if (areOthers(session_key_checks, mark.session_key_checks))
    throw new Refused(
      `SESSION_KEYS are not those of the store ${store}. Use those of its deployment. After a rotation, give the old key and the new one once.`,
    );
  if (areFormer(session_key_checks, mark.session_key_checks))
    throw new Refused(formerText('SESSION_KEYS', store));
}

const formerText = (name: string, store: string) =>
  `${name} are a copy from before the end of a rotation: the store ${store} has a newer one, or has dropped one of them. Use those of its deployment. A new one goes before the others. If these are the newest, or to go back to these on purpose: npm run store -- adopt NAME, or, by hand, npm run migrate -- --adopt`;

/** Tells if the mark has none of these secrets. */
function areOthers(claimed: readonly string[] | undefined, marked: readonly string[]): boolean {
  if (!claimed || marked.length === 0) return false;
  return !claimed.some((check) => marked.includes(check));
}

/** Tells if the newest marked secret is missing, or an older one was dropped from the mark. Both lists begin with the newest. */
function areFormer(claimed: readonly string[] | undefined, marked: readonly string[]): boolean {
  const newest = newestOf(claimed, marked);
  if (!claimed || newest === undefined) return false;
  const place = claimed.indexOf(newest);
  return place < 0 || claimed.slice(place).some((check) => !marked.includes(check));
}

/** Returns the first marked secret, unless the first claimed one is a marked pepper with a higher version than all others. */
function newestOf(claimed: readonly string[] = [], marked: readonly string[]): string | undefined {
  const [first = ''] = claimed;
  const versions = marked.filter((check) => check !== first).map(versionOf);
  // 0.1.0 puts the pepper that it used last first, also an old one.
  const isHighest = versions.every((version) => versionOf(first) > version);
  return marked.includes(first) && isHighest ? first : marked[0];
}

/** Returns the version of a pepper, and NaN of a session key, which has none. */
const versionOf = (check: string) =>
  check.includes(':') ? Number(check.split(':')[0]) : Number.NaN;
