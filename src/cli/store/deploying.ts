import * as z from 'zod';
import { release } from '../../kernel/deployment/release.ts';
import { Refused } from '../support/command.ts';
import { withDatabase } from '../support/database.ts';
import { markStore } from '../support/store-mark.ts';
import { migrateDatabase } from '../migrations/migrate.ts';
import { askReady, askStatus, waitUntilReady } from './asking.ts';
import { openOperatorKey } from './people.ts';
import { buildStore } from './building.ts';
import { checkStore, claimOf } from './checking.ts';
import { secretsAtCloudflare } from './cloudflare.ts';
import { configFile, newestMigration, workerName, writeConfiguration } from './configuration.ts';
import type { NamedStore } from './definition.ts';
import { refusedRollback } from './rollback.ts';
import {
  type StoreSecrets,
  noteReady,
  noteUpload,
  noteUploaded,
  readSecrets,
  secretChanges,
  secretOf,
  workerSecrets,
} from './secrets.ts';
import { type Step, sayMeanwhile } from './steps.ts';
import { withSecretsFile, wrangler } from './wrangler.ts';

export class StoreDeployment {
  readonly #store: NamedStore;
  #before: string | undefined;
  #refusedRollback: string | undefined;
  #storeId = '';

  constructor(store: NamedStore) {
    this.#store = store;
  }

  /** @param before steps that run right before the upload and may change the secrets */
  steps(before: readonly Step[] = []): Step[] {
    return [
      {
        name: 'check',
        plan: 'checks the variables, the other stores and the mark of the database',
        run: () => this.#check(),
      },
      {
        name: 'build',
        plan: 'builds the worker, its documentation and the console',
        run: () => buildStore(this.#store),
      },
      {
        name: 'migrate',
        plan: 'migrates the database, and marks it as that of the store',
        run: () => this.#migrate(),
      },
      {
        name: 'key',
        plan: "makes an operator's key, which reads the status, unless there is one",
        run: () => openOperatorKey(this.#store),
      },
      ...before,
      {
        name: 'worker',
        plan: 'uploads the worker, with its secrets',
        run: () => this.#upload(),
      },
      {
        name: 'ready',
        plan: 'asks the worker and its database; rolls the worker back if they do not answer',
        run: () => this.#ready(),
      },
      {
        name: 'fill',
        plan: 'fills new columns of rows that the previous worker wrote',
        run: () => this.#fill(),
      },
    ];
  }

  async #check(): Promise<string> {
    const unread = await checkStore(this.#store);
    if (unread !== undefined) throw new Error(unread);
    return `${this.#store.address}, its own database`;
  }

  async #migrate(): Promise<string> {
    const secrets = await readSecrets(this.#store);
    const url = secretOf(this.#store, secrets, 'DATABASE_URL_DIRECT');
    const said: string[] = [];
    await migrateDatabase(url, (line, isWait) => {
      if (isWait) sayMeanwhile(line);
      else said.push(line);
    });
    this.#storeId = await withDatabase(url, (client) =>
      markStore(client, claimOf(this.#store, secrets)),
    );
    return said.length > 0 ? `${said.length} changes` : 'nothing to change';
  }

  async #upload(): Promise<string> {
    const { name } = this.#store;
    const secrets = await readSecrets(this.#store);
    const { changed, removed } = await secretChanges(this.#store, secrets);
    const config = await this.#configure(removed);
    this.#before = await currentVersion(name);
    const migration = await newestMigration();
    const last = await noteUpload(this.#store, secrets, this.#before);
    const ready = await this.#lastReady(secrets, last.ready);
    await withSecretsFile(name, workerSecrets(secrets), (file) =>
      wrangler('deploy', '--config', config, '--secrets-file', file),
    );
    this.#refusedRollback = refusedRollback({
      before: this.#before,
      ready,
      hasOtherSecrets: changed.length + removed.length > 0,
      migrations: [last.migration, migration],
    });
    await noteUploaded(this.#store, secrets, migration);
    // The worker no longer has the secrets that a rotation dropped: copies of them are refused from now on.
    await withDatabase(secretOf(this.#store, secrets, 'DATABASE_URL_DIRECT'), (client) =>
      markStore(client, claimOf(this.#store, secrets), true),
    );
    return uploadedText(changed, removed);
  }

  /** One deployment changes code, variables and secrets: between two of them, a provider could be set up in part. */
  async #configure(removed: readonly string[]): Promise<string> {
    const config = await writeConfiguration(this.#store, this.#storeId);
    if (removed.length === 0) return config;
    const names = await secretsAtCloudflare(this.#store.name);
    const others = names.filter((name) => !removed.includes(name));
    return writeConfiguration(this.#store, this.#storeId, others);
  }

  async #fill(): Promise<string> {
    const secrets = await readSecrets(this.#store);
    const url = secretOf(this.#store, secrets, 'DATABASE_URL_DIRECT');
    await migrateDatabase(url, (line, isWait) => {
      if (isWait) sayMeanwhile(line);
    });
    return 'new columns are filled in';
  }

  async #ready(): Promise<string> {
    const secrets = await readSecrets(this.#store);
    const key = secretOf(this.#store, secrets, 'OPERATOR_KEY');
    const { in_order } = await this.#answer(key).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await this.#rollBack()}`, { cause: error });
    });
    await noteReady(this.#store, (await currentVersion(this.#store.name)) ?? '');
    return in_order ? 'answers, in order' : 'answers; see `npm run store -- status`';
  }

  async #answer(key: string) {
    await waitUntilReady(this.#store, key, release.schema);
    return askStatus(this.#store, key);
  }

  /** Returns the current version if it answers, else the noted one. */
  async #lastReady(secrets: StoreSecrets, noted: string | undefined): Promise<string | undefined> {
    if (this.#before === undefined || this.#before === noted) return noted;
    return askReady(this.#store, secretOf(this.#store, secrets, 'OPERATOR_KEY')).then(
      () => this.#before,
      () => noted,
    );
  }

  /** @returns the outcome as a sentence */
  async #rollBack(): Promise<string> {
    const { name } = this.#store;
    if (this.#refusedRollback !== undefined || this.#before === undefined)
      return this.#refusedRollback ?? 'The worker was not deployed by this run.';
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

/** The current version of a store's worker; undefined before its first deployment. */
async function currentVersion(name: string): Promise<string | undefined> {
  const words = ['--json', '--name', workerName(name), '--config', configFile(name)];
  const text = await wrangler('deployments', 'list', ...words).catch((error: Error) => {
    if (/does not exist|not found|10007|10090/i.test(error.message)) return '[]';
    throw error;
  });
  const deployments = Deployments.parse(JSON.parse(text.slice(text.indexOf('['))));
  return deployments.at(-1)?.versions.find(({ percentage }) => percentage === 100)?.version_id;
}

function uploadedText(changed: readonly string[], removed: readonly string[]): string {
  if (changed.length + removed.length === 0) return 'deployed, secrets as they were';
  const [given, taken] = [changed.join(', '), removed.join(', ')];
  return `deployed${given && `, with ${given}`}${taken && `, without ${taken}`}`;
}

/**
 * Puts one store before the others.
 * @throws Refused if there is no such store
 */
export function inOrder(stores: readonly NamedStore[], first: string | undefined): NamedStore[] {
  const isFirst = ({ name }: NamedStore) => name === first;
  if (first !== undefined && !stores.some(isFirst))
    throw new Refused(`There is no store ${first}.`);
  return [...stores.filter(isFirst), ...stores.filter((store) => !isFirst(store))];
}
