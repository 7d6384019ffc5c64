import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import { generatePepper } from '../../kernel/auth/secret-token.ts';
import { generateSessionKey } from '../../kernel/auth/session-token.ts';
import { Refused } from '../support/command.ts';
import { readIfPresent, readNote } from '../support/files.ts';
import { type NamedStore, storeFile, writeWhole } from './definition.ts';

const Secrets = z.record(z.string(), z.string());

/** The secrets of a store by name: those of its worker, and those that are never uploaded. */
export type StoreSecrets = Readonly<Record<string, string>>;

/** Secrets that are never uploaded. */
const kept = [
  ...['DATABASE_URL_DIRECT', 'NEON_PROJECT_ID', 'OPERATOR_KEY', 'BACKUP_KEY', 'OLD_DATABASES'],
];

/** Reads the secrets of a store; empty for a new store. @throws Refused */
export async function readSecrets(store: NamedStore): Promise<StoreSecrets> {
  if (store.secrets_command !== undefined) return readByCommand(store.name, store.secrets_command);
  const file = storeFile(store.name, 'secrets');
  return secretsOf((await readIfPresent(file)) ?? '{}', file);
}

async function readByCommand(name: string, line: string): Promise<StoreSecrets> {
  const shell = promisify(execFile);
  const { stdout } = await shell('sh', ['-c', line]).catch(() => {
    throw new Error(`The secrets_command of ${name} failed.`);
  });
  return secretsOf(stdout, `The output of the secrets_command of ${name}`);
}

/** No message contains the text itself. */
function secretsOf(text: string, source: string): StoreSecrets {
  const secrets = parsed(text, source);
  for (const name of ['DATABASE_URL', 'DATABASE_URL_DIRECT'])
    if (secrets[name] && !URL.canParse(secrets[name]))
      throw new Refused(
        `${source}: ${name} is not a connection string like postgresql://user:password@host/database. In the password, write characters such as / and # as %2F and %23.`,
      );
  return secrets;
}

function parsed(text: string, source: string): StoreSecrets {
  try {
    return Secrets.parse(JSON.parse(text));
  } catch {
    throw new Refused(`${source} holds no JSON object of secrets by name.`);
  }
}

/**
 * Refuses to change secrets that a command prints.
 * @param todo a sentence for the person who changes them
 * @throws Refused
 */
export function refuseCommand({ name, secrets_command }: NamedStore, todo: string): void {
  if (secrets_command !== undefined)
    throw new Refused(
      `Nothing was changed: the secrets of ${name} come from its secrets_command. ${todo}`,
    );
}

/** @throws Refused if a command stores the secrets, so that the person has to change them */
export async function addSecrets(store: NamedStore, more: StoreSecrets): Promise<StoreSecrets> {
  const secrets = await readSecrets(store);
  const all = { ...secrets, ...more };
  const changed = Object.keys(more).filter((name) => (secrets[name] ?? '') !== more[name]);
  if (changed.length === 0) return all;
  if (store.secrets_command !== undefined)
    throw new Refused(
      `The secrets of ${store.name} come from its secrets_command: set ${changed.join(', ')} there, then run this command again.`,
    );
  await writeWhole(storeFile(store.name, 'secrets'), `${JSON.stringify(all, null, 2)}\n`);
  return all;
}

/**
 * Generates the missing secrets of a new store.
 * @throws Refused if the store was deployed with secrets that are missing now
 */
export async function completeSecrets(store: NamedStore): Promise<StoreSecrets> {
  const { API_KEY_PEPPERS, SESSION_KEYS } = await readSecrets(store);
  if (API_KEY_PEPPERS === undefined || SESSION_KEYS === undefined) await refuseLost(store);
  return addSecrets(store, {
    API_KEY_PEPPERS: API_KEY_PEPPERS ?? generatePepper(1),
    SESSION_KEYS: SESSION_KEYS ?? JSON.stringify({ keys: [await generateSessionKey()] }),
  });
}

/** @throws Refused if the store was deployed before */
async function refuseLost(store: NamedStore): Promise<void> {
  const { name, secrets_command } = store;
  if ((await readUploaded(store)) === undefined) return;
  const source = secrets_command ? 'what its secrets_command prints' : storeFile(name, 'secrets');
  throw new Refused(
    `${name} was deployed with API_KEY_PEPPERS and SESSION_KEYS, and they are no longer in ${source}. Nothing was changed: without these secrets the API keys of the store are refused, and without BACKUP_KEY its backups cannot be read. Put them back from your copy, then run this command again. Without a copy, see "Lost secrets" in docs/deploying.md.`,
  );
}

/** @throws Refused */
export function secretOf(store: NamedStore, secrets: StoreSecrets, name: string): string {
  const value = secrets[name];
  if (!value)
    throw new Refused(
      `${store.name} has no ${name} yet. Go on with: npm run store -- add ${store.name}`,
    );
  return value;
}

export const workerSecrets = (secrets: StoreSecrets): StoreSecrets =>
  Object.fromEntries(Object.entries(secrets).filter(([name]) => !kept.includes(name)));

/** The last deployment. */
const Uploaded = z.object({
  /** A hash of each secret; empty if an interrupted deployment alone may have uploaded it. */
  secrets: Secrets,
  /** The newest migration of Durable Objects; undefined before the first deployment. */
  migration: z.string().optional(),
  /** The last version that was seen ready; empty if none was. Notes of 0.1.0 lack it. */
  ready: z.string().optional(),
});
type Uploaded = z.output<typeof Uploaded>;

const hashOf = (value: string) => createHash('sha256').update(value).digest('hex');

/** Undefined before the first deployment. */
const readUploaded = ({ name }: NamedStore): Promise<Uploaded | undefined> =>
  readNote(storeFile(name, 'uploaded'), Uploaded);

/** Names of secrets. */
interface SecretChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export async function secretChanges(
  store: NamedStore,
  secrets: StoreSecrets,
): Promise<SecretChanges> {
  const { secrets: uploaded = {} } = (await readUploaded(store)) ?? {};
  const own = workerSecrets(secrets);
  const changed = Object.entries(own).filter(([name, value]) => uploaded[name] !== hashOf(value));
  return {
    changed: changed.map(([name]) => name),
    removed: Object.keys(uploaded).filter((name) => own[name] === undefined),
  };
}

async function writeUploaded(store: NamedStore, uploaded: Uploaded): Promise<void> {
  const text = JSON.stringify(uploaded, null, 2);
  await writeWhole(storeFile(store.name, 'uploaded'), `${text}\n`);
}

/**
 * Records the names of the secrets before an upload: an interruption may come after it.
 * @param before the current version of the worker
 * @returns the record, which holds the hashes and the migration of the last deployment
 */
export async function noteUpload(
  store: NamedStore,
  secrets: StoreSecrets,
  before: string | undefined,
): Promise<Uploaded> {
  const last = await readUploaded(store);
  const names = Object.keys(workerSecrets(secrets)).map((name) => [name, '']);
  const uploaded = {
    secrets: { ...Object.fromEntries(names), ...last?.secrets },
    migration: last?.migration,
    ready: last ? (last.ready ?? before) : '',
  };
  await writeUploaded(store, uploaded);
  return uploaded;
}

/** Records what was deployed. */
export async function noteUploaded(
  store: NamedStore,
  secrets: StoreSecrets,
  migration: string,
): Promise<void> {
  const hashes = Object.entries(workerSecrets(secrets)).map(([name, value]) => [
    name,
    hashOf(value),
  ]);
  const last = await readUploaded(store);
  await writeUploaded(store, { ...last, secrets: Object.fromEntries(hashes), migration });
}

/** Records the version that was seen ready. */
export async function noteReady(store: NamedStore, ready: string): Promise<void> {
  const last = await readUploaded(store);
  if (last) await writeUploaded(store, { ...last, ready });
}
