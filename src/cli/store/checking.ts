import { readConfig, variableNames } from '../../config.ts';
import { modulesOf } from '../../modules/index.ts';
import { checkProviders } from '../../providers/setup/check.ts';
import { checkMigratingRole } from '../migrations/rights.ts';
import { Refused } from '../support/command.ts';
import { Unreachable, withDatabase } from '../support/database.ts';
import { refuseOtherStore } from '../support/store-mark.ts';
import { secretsAtCloudflare } from './cloudflare.ts';
import { variablesOf } from './configuration.ts';
import { nameOneDatabase, refuseTwoDatabases } from './databases.ts';
import { type NamedStore, readStores, refuseTwins, storeFile } from './definition.ts';
import {
  type StoreSecrets,
  readSecrets,
  secretChanges,
  secretOf,
  workerSecrets,
} from './secrets.ts';
import { withStandIns } from './stand-ins.ts';

export const claimOf = ({ address }: NamedStore, secrets: StoreSecrets) => ({
  address,
  environment: 'production',
  peppers: secrets['API_KEY_PEPPERS'],
  sessionKeys: secrets['SESSION_KEYS'],
});

/**
 * Checks a store against the others, its variables and secrets, and the mark and the role of its database. Nothing is
 * written.
 * @returns the reason why the secrets at Cloudflare were not looked at; undefined if they were
 * @throws Refused, or Unreachable for its database
 */
export async function checkStore(store: NamedStore): Promise<string | undefined> {
  refuseTwins(store, await readStores());
  const secrets = await readSecrets(store);
  const direct = secretOf(store, secrets, 'DATABASE_URL_DIRECT');
  const unread = await checkVariables(store, secrets);
  await checkDatabase(store, secrets);
  await withDatabase(direct, (client) =>
    checkMigratingRole(client, 'database in DATABASE_URL_DIRECT'),
  );
  await checkStrings(store, secrets);
  return unread;
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
 * Reads variables and secrets as the worker does when it starts. Of a secret that only Cloudflare has, the name is known
 * and the value is not.
 * @returns the reason why the secrets at Cloudflare were not looked at; undefined if they were
 * @throws Refused naming the wrong ones
 */
async function checkVariables(store: NamedStore, all: StoreSecrets): Promise<string | undefined> {
  const secrets = workerSecrets(all);
  const sources = `Variables are in ${storeFile(store.name, 'toml')}, secrets in ${store.secrets_command ? 'what its secrets_command prints' : storeFile(store.name, 'secrets')}.`;
  const own = { ...store.vars, ...secrets };
  const unknown = Object.keys(own).filter((name) => !variableNames.includes(name));
  if (unknown.length > 0)
    throw new Refused(`The service knows no variable ${unknown.join(', ')}.\n${sources}`);
  const email = store.email && { EMAIL: {} };
  const bindings = { ...(await variablesOf(store)), ...secrets, ...email };
  const config = refusing(sources, () => readConfig(bindings));
  refusing(sources, () => modulesOf(config));
  const kept = await keptAtCloudflare(store, all, bindings).catch((error: Error) => error);
  const [names, unread] =
    kept instanceof Error
      ? [[], `The secrets at Cloudflare were not looked at: ${kept.message}`]
      : [kept, undefined];
  const others = names.length > 0 ? `Only Cloudflare has ${names.join(', ')}.` : unread;
  refusing([sources, ...(others ? [others] : [])].join('\n'), () =>
    checkProviders(withStandIns(config, names)),
  );
  return unread;
}

/** @throws Refused with the sources of the values that the work refuses */
function refusing<T>(sources: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Refused(`${(error as Error).message}\n${sources}`, { cause: error });
  }
}

/** Names the secrets that only Cloudflare has, and that the next deployment leaves there. */
async function keptAtCloudflare(store: NamedStore, secrets: StoreSecrets, own: object) {
  const names = await secretsAtCloudflare(store.name);
  const { removed } = await secretChanges(store, secrets);
  return names.filter(
    (name) => variableNames.includes(name) && !(name in own) && !removed.includes(name),
  );
}
