import * as z from 'zod';
import { release } from '../../kernel/deployment/release.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { markStore, refuseOtherStore } from '../support/store-mark.ts';
import { migrateDatabase } from '../migrations/migrate.ts';
import { askStatus, waitUntilReady } from './asking.ts';
import { openOperatorKey } from './people.ts';
import { StoreBuilds } from './building.ts';
import { configFile, workerName, writeConfiguration } from './configuration.ts';
import { type NamedStore, readStores, refuseTwins } from './definition.ts';
import {
  type StoreSecrets,
  noteUploaded,
  readSecrets,
  secretChanges,
  secretOf,
  workerSecrets,
} from './secrets.ts';
import type { Step } from './steps.ts';
import { withSecretsFile, wrangler } from './wrangler.ts';

/** The values that a store's mark is compared with. */
export const claimOf = ({ address }: NamedStore, secrets: StoreSecrets) => ({
  address,
  environment: 'production',
  peppers: secrets['API_KEY_PEPPERS'],
  sessionKeys: secrets['SESSION_KEYS'],
});

/** The deployment of one store. */
export class StoreDeployment {
  readonly #store: NamedStore;
  readonly #builds: StoreBuilds;
  #before: string | undefined;
  #storeId = '';

  /** @param builds those of other stores too, where several are deployed */
  constructor(store: NamedStore, builds = new StoreBuilds()) {
    this.#store = store;
    this.#builds = builds;
  }

  /** @param before steps that change what the worker is told, as late as can be */
  steps(before: readonly Step[] = []): Step[] {
    return [
      { name: 'check', run: () => this.#check() },
      { name: 'build', run: () => this.#builds.build(this.#store) },
      { name: 'migrate', run: () => this.#migrate() },
      { name: 'key', run: () => openOperatorKey(this.#store) },
      ...before,
      { name: 'worker', run: () => this.#upload() },
      { name: 'ready', run: () => this.#ready() },
      { name: 'fill', run: () => this.#fill() },
    ];
  }

  /** Refuses twins and the database of another store, before anything is made. */
  async #check(): Promise<string> {
    refuseTwins(this.#store, await readStores());
    const secrets = await readSecrets(this.#store);
    const claim = claimOf(this.#store, secrets);
    await withDatabase(secretOf(this.#store, secrets, 'DATABASE_URL_DIRECT'), (client) =>
      refuseOtherStore(client, claim),
    );
    return `${this.#store.address}, its own database`;
  }

  async #migrate(): Promise<string> {
    const secrets = await readSecrets(this.#store);
    const url = secretOf(this.#store, secrets, 'DATABASE_URL_DIRECT');
    const said: string[] = [];
    await migrateDatabase(url, (line) => said.push(line));
    this.#storeId = await withDatabase(url, (client) =>
      markStore(client, claimOf(this.#store, secrets)),
    );
    return said.length > 0 ? `${said.length} changes` : 'nothing to change';
  }

  async #upload(): Promise<string> {
    const { name } = this.#store;
    const config = await writeConfiguration(this.#store, this.#storeId);
    this.#before = await currentVersion(name);
    const secrets = await readSecrets(this.#store);
    const { changed, removed } = await secretChanges(this.#store, secrets);
    const names = Object.keys(changed);
    await (names.length > 0
      ? withSecretsFile(name, changed, (file) =>
          wrangler('deploy', '--config', config, '--secrets-file', file),
        )
      : wrangler('deploy', '--config', config));
    for (const secret of removed)
      await wrangler('secret', 'delete', secret, '--name', workerName(name), '--config', config);
    await noteUploaded(this.#store, workerSecrets(secrets));
    // With other secrets than before, the worker before would come back with the wrong ones.
    if (names.length + removed.length > 0) this.#before = undefined;
    return names.length > 0
      ? `deployed, with ${names.join(', ')}`
      : 'deployed, secrets as they were';
  }

  /** Fills new columns of rows that the previous worker wrote until it was replaced. */
  async #fill(): Promise<string> {
    const secrets = await readSecrets(this.#store);
    await migrateDatabase(secretOf(this.#store, secrets, 'DATABASE_URL_DIRECT'));
    return 'new columns are filled in';
  }

  async #ready(): Promise<string> {
    const secrets = await readSecrets(this.#store);
    const key = secretOf(this.#store, secrets, 'OPERATOR_KEY');
    try {
      await waitUntilReady(this.#store, key, release.schema);
      const { in_order } = await askStatus(this.#store, key);
      return in_order ? 'answers, in order' : 'answers; see `npm run store -- status`';
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${await this.#rollBack()}`, { cause: error });
    }
  }

  /** Puts the worker before back, if its secrets are still the same. @returns what became of it */
  async #rollBack(): Promise<string> {
    const { name } = this.#store;
    if (!this.#before)
      return 'The worker was not rolled back: there is none before it with these secrets. Deploy the version before from its tag.';
    try {
      const words = ['--yes', '--message', 'not ready', '--name', workerName(name)];
      await wrangler('rollback', this.#before, ...words, '--config', configFile(name));
      return `The worker is rolled back to ${this.#before}. The schema stays, and that worker runs on it.`;
    } catch (error) {
      return `The worker could not be rolled back: ${(error as Error).message}`;
    }
  }
}

const Deployments = z.array(
  z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })) }),
);

/** The version of a store's worker that answers now; undefined before its first deployment. */
async function currentVersion(name: string): Promise<string | undefined> {
  const words = ['deployments', 'list', '--json', '--name', workerName(name)];
  const text = await wrangler(...words, '--config', configFile(name)).catch((error: Error) => {
    if (/does not exist|not found|10007|10090/i.test(error.message)) return '[]';
    throw error;
  });
  const deployments = Deployments.parse(JSON.parse(text.slice(text.indexOf('['))));
  return deployments.at(-1)?.versions.find(({ percentage }) => percentage === 100)?.version_id;
}

/**
 * Returns stores in the order in which they are deployed.
 * @param first the name of the one that goes before all others
 * @throws Refused where there is no such store
 */
export function inOrder(stores: readonly NamedStore[], first: string | undefined): NamedStore[] {
  const isFirst = ({ name }: NamedStore) => name === first;
  if (first !== undefined && !stores.some(isFirst))
    throw new Refused(`There is no store ${first}.`);
  return [...stores.filter(isFirst), ...stores.filter((store) => !isFirst(store))];
}
