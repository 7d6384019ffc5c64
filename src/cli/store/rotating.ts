import { generatePepper } from '../../kernel/auth/secret-token.ts';
import { type SessionJwk, generateSessionKey } from '../../kernel/auth/session-token.ts';
import { Keys } from '../keys.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { checkDatabase } from './checking.ts';
import { workerName } from './configuration.ts';
import {
  type GivenDatabase,
  areOneDatabase,
  checkGivenStrings,
  databaseSecrets,
  givenStrings,
  neonOf,
} from './databases.ts';
import { StoreDeployment } from './deploying.ts';
import type { ConnectionStrings, Neon } from './neon.ts';
import type { NamedStore } from './definition.ts';
import { operatorKey } from './people.ts';
import {
  type StoreSecrets,
  addSecrets,
  readSecrets,
  refuseCommand,
  secretChanges,
  secretOf,
} from './secrets.ts';
import type { Step } from './steps.ts';

/** The secrets that can be rotated. The worker accepts the old value of the first two until `--finish`. */
export const rotated = ['peppers', 'session-keys', 'database'] as const;
export type Rotated = (typeof rotated)[number];

/** Adds a new secret before the old one or, with `finishes`, drops the old one, and deploys the worker. */
export function rotationSteps(
  store: NamedStore,
  what: Exclude<Rotated, 'database'>,
  finishes: boolean,
): Step[] {
  const change = { peppers, 'session-keys': sessionKeys }[what];
  return [
    {
      name: what,
      plan: finishes ? 'drops the old one' : 'puts a new one before the old one',
      run: () => change(store, finishes),
    },
    ...new StoreDeployment(store).steps(),
  ];
}

/** Changes the database's password, or stores other connection strings of the same database. */
export function databaseRotationSteps(store: NamedStore, given: GivenDatabase): Step[] {
  const strings = givenStrings(given);
  if (strings)
    return [
      {
        name: 'strings',
        plan: 'compares the databases, and takes the new strings',
        run: () => takeStrings(store, strings),
      },
      ...new StoreDeployment(store).steps(),
    ];
  return [
    { name: 'reach', plan: 'asks Neon for the current strings', run: () => reach(store) },
    ...new StoreDeployment(store).steps([
      { name: 'password', plan: 'has Neon make a new password', run: () => resetPassword(store) },
    ]),
  ];
}

/** @throws Refused for strings of another database, even of a copy, and for roles with too few rights */
async function takeStrings(store: NamedStore, { pooled, direct }: ConnectionStrings) {
  const secrets = await readSecrets(store);
  const { NEON_PROJECT_ID: project } = secrets;
  const current = {
    url: secretOf(store, secrets, 'DATABASE_URL_DIRECT'),
    name: `database in DATABASE_URL_DIRECT of ${store.name}`,
  };
  if (!(await areOneDatabase(current, { url: direct, name: 'database in --database-direct' })))
    throw new Refused(
      'These strings lead to another database. A store moves by `npm run store -- restore`.',
    );
  await checkGivenStrings({ pooled, direct });
  await addSecrets(store, databaseSecrets({ pooled, direct, project }));
  return 'the new ones; once the worker is ready, change the password of the old ones, and keep the role that owns the tables';
}

/** Stores the current password: an interrupted rotation may have left the previous one. */
async function reach(store: NamedStore): Promise<string> {
  const todo = `Make a new password for the role at the database, put both strings there, then run: npm run store -- deploy ${store.name}`;
  refuseCommand(store, todo);
  const { project, ...strings } = await findAtNeon(store, neonOf());
  const { DATABASE_URL_DIRECT: before } = await readSecrets(store);
  await addSecrets(store, databaseSecrets({ ...strings, project }));
  return `${project} at Neon${before === strings.direct ? '' : ', whose password had changed'}`;
}

/**
 * Finds the database that the store uses: the project may have other branches, and other databases.
 * @throws Refused if Neon does not have it
 */
async function findAtNeon(store: NamedStore, neon: Neon) {
  const secrets = await readSecrets(store);
  const direct = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const pooled = secretOf(store, secrets, 'DATABASE_URL');
  const name = workerName(store.name);
  const project = secrets['NEON_PROJECT_ID'] || (await neon.projectOf(name));
  const place = project && (await neon.placeOf(project, direct));
  const found = place && { ...(await neon.connectionStrings(place)), project, place };
  if (found && [found.pooled, found.direct].some((one) => leadsTo(one, pooled))) return found;
  throw new Refused(
    `Nothing was changed: the project ${project ?? name} at Neon does not have the database of ${store.name}, which is at ${new URL(direct).host}, or DATABASE_URL leads elsewhere. Set NEON_PROJECT_ID in the secrets to its project; or make a new password at the database, put both strings into the secrets, then run: npm run store -- deploy ${store.name}`,
  );
}

/** Tells if two connection strings differ in passwords and parameters alone. */
function leadsTo(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.host === b.host && a.pathname === b.pathname && a.username === b.username;
}

/** Changes the password right before the upload: until the upload, the worker opens no new connection. */
async function resetPassword(store: NamedStore): Promise<string> {
  const neon = neonOf();
  const { project, place } = await findAtNeon(store, neon);
  await neon.resetPassword(place);
  await addSecrets(store, databaseSecrets({ ...(await neon.connectionStrings(place)), project }));
  return 'a new one; the old one opens no new connection';
}

const byHand = (todo: string, { name }: NamedStore) =>
  `${todo}, then run: npm run store -- deploy ${name} (docs/deploying.md says how by hand)`;

/** @throws Refused while the worker may know the old secret alone, and for another store's database */
async function refuseFinish(
  store: NamedStore,
  secrets: StoreSecrets,
  what: Exclude<Rotated, 'database'>,
): Promise<void> {
  const secret = { peppers: 'API_KEY_PEPPERS', 'session-keys': 'SESSION_KEYS' }[what];
  const { changed } = await secretChanges(store, secrets);
  if (changed.includes(secret))
    throw new Refused(
      `Nothing was changed: the ${secret} with the new one were not uploaded yet. Run the first half again: npm run store -- rotate ${store.name} ${what}`,
    );
  await checkDatabase(store, secrets);
}

async function peppers(store: NamedStore, finishes: boolean): Promise<string> {
  const secrets = await readSecrets(store);
  const text = secretOf(store, secrets, 'API_KEY_PEPPERS');
  const [current = '', ...older] = text.split(/[\s,]+/).filter((part) => part !== '');
  if (finishes) {
    if (older.length === 0) return 'there was no old one';
    await refuseFinish(store, secrets, 'peppers');
    await refuseInUse(store, secrets, versionOf(current));
    refuseCommand(store, byHand('Drop the old pepper there', store));
    await addSecrets(store, { API_KEY_PEPPERS: current });
    return 'the old one is dropped';
  }
  if (older.length > 0) return 'both are there: finish the last rotation by --finish';
  refuseCommand(store, byHand('Put a new pepper before the old one there', store));
  const next = generatePepper(versionOf(current) + 1);
  await addSecrets(store, { API_KEY_PEPPERS: `${next} ${current}` });
  return 'a new one before the old one; new and rotated keys use it';
}

const versionOf = (pepper: string) => Number(pepper.split(':')[0]);

/** @throws Refused naming the keys that need an older pepper */
async function refuseInUse(
  store: NamedStore,
  secrets: StoreSecrets,
  current: number,
): Promise<void> {
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const keys = await withDatabase(url, (client) =>
    new Keys(client, secrets['API_KEY_PEPPERS'] ?? '').list(),
  );
  const old = keys.filter(
    ({ name, revoked_at, peppers: its }) =>
      name !== operatorKey && revoked_at === null && its.some((version) => version !== current),
  );
  if (old.length > 0)
    throw new Refused(
      `Keys are still in use that were made with the old pepper: ${old.map(({ name }) => name).join(', ')}. Rotate them first, and wait for the end of their overlap.`,
    );
}

async function sessionKeys(store: NamedStore, finishes: boolean): Promise<string> {
  const secrets = await readSecrets(store);
  const { keys } = JSON.parse(secretOf(store, secrets, 'SESSION_KEYS')) as { keys: SessionJwk[] };
  const [current, ...older] = keys;
  if (finishes) {
    if (older.length === 0) return 'there was no old one';
    await refuseFinish(store, secrets, 'session-keys');
    refuseCommand(store, byHand('Drop the old session key there', store));
    await addSecrets(store, { SESSION_KEYS: JSON.stringify({ keys: [current] }) });
    return 'the old one is dropped';
  }
  if (older.length > 0) return 'both are there: finish the last rotation by --finish';
  refuseCommand(store, byHand('Put a new session key before the old one there', store));
  const next = [await generateSessionKey(), ...keys];
  await addSecrets(store, { SESSION_KEYS: JSON.stringify({ keys: next }) });
  return 'a new one signs, the old one verifies: finish by --finish once sessions are over';
}
