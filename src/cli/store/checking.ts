import { variableNames } from '../../config.ts';
import { Refused } from '../support/command.ts';
import { Unreachable, withDatabase } from '../support/database.ts';
import { refuseOtherStore } from '../support/store-mark.ts';
import { checkedConfig } from '../variables.ts';
import { variablesOf } from './configuration.ts';
import { nameOneDatabase, refuseTwoDatabases } from './databases.ts';
import { type NamedStore, readStores, refuseTwins, storeFile } from './definition.ts';
import { type StoreSecrets, readSecrets, secretOf, workerSecrets } from './secrets.ts';

export const claimOf = ({ address }: NamedStore, secrets: StoreSecrets) => ({
  address,
  environment: 'production',
  peppers: secrets['API_KEY_PEPPERS'],
  sessionKeys: secrets['SESSION_KEYS'],
});

/**
 * Checks a store against the others, its variables and secrets, and the mark of its database. Nothing is written.
 * @throws Refused, or Unreachable for its database
 */
export async function checkStore(store: NamedStore): Promise<void> {
  refuseTwins(store, await readStores());
  const secrets = await readSecrets(store);
  secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  await checkVariables(store, workerSecrets(secrets));
  await checkDatabase(store, secrets);
  await checkStrings(store, secrets);
}

/**
 * Asks the databases only if the strings differ in more than Neon's do.
 * @throws Refused if the strings lead to two databases
 */
async function checkStrings(store: NamedStore, secrets: StoreSecrets): Promise<void> {
  const names = { pooled: 'DATABASE_URL', direct: 'DATABASE_URL_DIRECT' };
  const pooled = secretOf(store, secrets, names.pooled);
  const direct = secretOf(store, secrets, names.direct);
  if (nameOneDatabase({ pooled, direct })) return;
  await refuseTwoDatabases({ pooled, direct }, names).catch((error: Error) => {
    // The worker may reach a database that this machine does not reach.
    if (!(error instanceof Unreachable)) throw error;
  });
}

/** @throws Refused for another store's database, or Unreachable */
export async function checkDatabase(store: NamedStore, secrets: StoreSecrets): Promise<void> {
  const url = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  await withDatabase(url, (client) => refuseOtherStore(client, claimOf(store, secrets)));
}

/**
 * Reads variables and secrets as the worker does when it starts.
 * @throws Refused naming the wrong ones
 */
async function checkVariables(store: NamedStore, secrets: StoreSecrets): Promise<void> {
  const own = { ...store.vars, ...secrets };
  const unknown = Object.keys(own).filter((name) => !variableNames.includes(name));
  const sources = `Variables are in ${storeFile(store.name, 'toml')}, secrets in ${store.secrets_command ? 'what its secrets_command prints' : storeFile(store.name, 'secrets')}.`;
  if (unknown.length > 0)
    throw new Refused(`The service knows no variable ${unknown.join(', ')}.\n${sources}`);
  const bindings = {
    ...(await variablesOf(store)),
    ...secrets,
    ...(store.email && { EMAIL: {} }),
  };
  try {
    checkedConfig(bindings, undefined);
  } catch (error) {
    throw new Refused(`${(error as Error).message}\n${sources}`, { cause: error });
  }
}
