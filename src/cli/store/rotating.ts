import { generatePepper } from '../../kernel/auth/secret-token.ts';
import { type SessionJwk, generateSessionKey } from '../../kernel/auth/session-token.ts';
import { Keys } from '../keys.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import type { NamedStore } from './definition.ts';
import { operatorKey } from './people.ts';
import { type StoreSecrets, addSecrets, readSecrets, secretOf } from './secrets.ts';
import type { Step } from './steps.ts';

/** The secrets that can be rotated. The worker takes the old value too, until the next rotation or `--finish`. */
export const rotated = ['peppers', 'session-keys'] as const;
export type Rotated = (typeof rotated)[number];

/** The step that puts a new secret before the old one or, at the end, drops the old one. */
export function rotationSteps(store: NamedStore, what: Rotated, finishes: boolean): Step[] {
  const change = { peppers, 'session-keys': sessionKeys }[what];
  return [{ name: what, run: () => change(store, finishes) }];
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

/** @throws Refused while a key works only by an older pepper */
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
