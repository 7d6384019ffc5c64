import { generatePepper } from '../../kernel/auth/secret-token.ts';
import { type SessionJwk, generateSessionKey } from '../../kernel/auth/session-token.ts';
import { Keys } from '../keys.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { readMark } from '../support/store-mark.ts';
import { workerName } from './configuration.ts';
import { type GivenDatabase, databaseSecrets, givenStrings, neonOf } from './databases.ts';
import { StoreDeployment } from './deploying.ts';
import type { ConnectionStrings } from './neon.ts';
import type { NamedStore } from './definition.ts';
import { operatorKey } from './people.ts';
import { type StoreSecrets, addSecrets, readSecrets, secretOf } from './secrets.ts';
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

/** @throws Refused for strings of another store's database */
async function takeStrings(store: NamedStore, { pooled, direct }: ConnectionStrings) {
  const secrets = await readSecrets(store);
  const { NEON_PROJECT_ID: project } = secrets;
  const idIn = (url: string) =>
    withDatabase(url, async (client) => (await readMark(client))?.store_id);
  const [own, other] = [
    await idIn(secretOf(store, secrets, 'DATABASE_URL_DIRECT')),
    await idIn(direct),
  ];
  if (own === undefined || own !== other)
    throw new Refused(
      'These strings lead to another database. A store moves by `npm run store -- restore`.',
    );
  await addSecrets(store, databaseSecrets({ pooled, direct, project }));
  return 'the new ones; disable the old ones at the database once the worker is ready';
}

/** Stores the current strings: an interrupted rotation may have left the previous password. */
async function reach(store: NamedStore): Promise<string> {
  const neon = neonOf();
  const secrets = await readSecrets(store);
  const project = secrets['NEON_PROJECT_ID'] || (await neon.projectOf(workerName(store.name)));
  const found = { ...(await neon.connectionStrings(project)), project };
  if (secrets['DATABASE_URL_DIRECT'] === found.direct) return `${project} at Neon`;
  await addSecrets(store, databaseSecrets(found));
  return `${project} at Neon, whose strings had changed`;
}

/** Changes the password right before the upload: until the upload, the worker opens no new connection. */
async function resetPassword(store: NamedStore): Promise<string> {
  const neon = neonOf();
  const project = secretOf(store, await readSecrets(store), 'NEON_PROJECT_ID');
  await neon.resetPassword(project);
  await addSecrets(store, databaseSecrets({ ...(await neon.connectionStrings(project)), project }));
  return 'a new one; the old one opens no new connection';
}

async function peppers(store: NamedStore, finishes: boolean): Promise<string> {
  const secrets = await readSecrets(store);
  const text = secretOf(store, secrets, 'API_KEY_PEPPERS');
  const [current = '', ...older] = text.split(/[\s,]+/).filter((part) => part !== '');
  if (finishes) {
    await refuseInUse(store, secrets, versionOf(current));
    await addSecrets(store, { API_KEY_PEPPERS: current });
    return older.length > 0 ? 'the old one is dropped' : 'there was no old one';
  }
  if (older.length > 0) return 'both are there: finish the last rotation by --finish';
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
    await addSecrets(store, { SESSION_KEYS: JSON.stringify({ keys: [current] }) });
    return older.length > 0 ? 'the old one is dropped' : 'there was no old one';
  }
  if (older.length > 0) return 'both are there: finish the last rotation by --finish';
  const next = [await generateSessionKey(), ...keys];
  await addSecrets(store, { SESSION_KEYS: JSON.stringify({ keys: next }) });
  return 'a new one signs, the old one verifies: finish by --finish once sessions are over';
}
