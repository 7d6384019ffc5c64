import { fileURLToPath } from 'node:url';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { prefixes } from '../config.ts';
import { scopes } from '../schema/scopes.ts';
import { rebuildAssets } from './assets.ts';
import { type Arguments, command, exitCodeOf } from './support/command.ts';
import { directDatabase, withDatabase, withPlainTls } from './support/database.ts';
import { openDemoDatabase, refuseHeld, refuseUnfinished } from './demo/database.ts';
import { fillStore, issueTokens } from './demo/store.ts';
import { openFailingWebhook, openSinkWebhook, startBrokenReceiver } from './demo/webhook.ts';
import type { Address } from './demo/client.ts';
import { markStore, refuseOtherStore } from './support/store-mark.ts';
import {
  type Secrets,
  type SecretsSource,
  demoFile,
  localPath,
  openFolder,
  readDemo,
  writeDemo,
} from './support/folder.ts';
import { greeting } from './greeting.ts';
import { ConsoleLinks } from './console-links.ts';
import { Keys } from './keys.ts';
import { logLines } from './log-lines.ts';
import { migrateDatabase } from './migrations/migrate.ts';
import { startNeonEndpoint } from '../local/neon/index.ts';
import { Opened } from './opened.ts';
import { storeSecrets } from './store-secrets.ts';
import { readPort, refuseTakenPort } from './port.ts';
import { shop } from '../modules/shop/index.ts';
import { startPostgres } from '../local/postgres/index.ts';
import { checkedConfig, localVariables } from './variables.ts';
import { clearLeftoverWorker, ownerMark } from '../local/worker/leftover.ts';
import { runWorker, watchWorker } from '../local/worker/index.ts';

/** A folder of the store at a port: several stores run from one checkout. */
const folderAt = (port: number, name: string) =>
  localPath(port === usualPort ? name : `${name}-${port}`);

const usualPort = 8787;
const opened = new Opened();
const databaseEnd = Promise.withResolvers<void>();
let greeted = false;

const usage = `npm start [-- OPTIONS]

Opens a demo store on this machine, or the store in DATABASE_URL, to which it adds no demo data. It migrates the database.
To get an API key and a link into the console, set API_KEY_PEPPERS and SESSION_KEYS to those of the deployment.

  --jobs    also runs the due jobs of the store in DATABASE_URL, which otherwise stay with its deployment
  --demo    fills the database in DATABASE_URL with the demo store, if it is empty

PORT and the variables of wrangler.toml and .dev.vars.example can be set in the environment.`;

const options = { jobs: { type: 'boolean' }, demo: { type: 'boolean' } } as const;

type Values = Arguments<typeof options>['values'];

async function main(values: Values): Promise<void> {
  const isOwn = Boolean(process.env['DATABASE_URL']);
  const isDemo = !isOwn || values.demo === true;
  const doesJobs = !isOwn || values.jobs === true;
  const port = readPort(process.env['PORT'] ?? String(usualPort));
  const base_url = `http://127.0.0.1:${port}`;
  const wrangler = readWranglerConfig({
    config: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
  });
  await openFolder(localPath());
  await clearLeftoverWorker(localPath());
  await refuseTakenPort(port);
  const file = await demoFile(port);
  const { secrets, source } = await storeSecrets(process.env, isDemo);
  const variables = localVariables(process.env, wrangler.vars);
  const bindings = {
    ...variables,
    ...(isDemo && { MODULES: withShop(variables['MODULES']) }),
    ...secrets,
    BASE_URL: base_url,
    DATABASE_URL: 'postgresql://store:local@db.localhost/store',
    ENVIRONMENT: 'development',
    DEV_JOBS: doesJobs ? 'on' : 'off',
  };
  const { REST_ROOT, MODULES } = checkedConfig(bindings, process.env['DATABASE_URL']);
  console.log('Starting the store');
  const database_url = await opened.step('PostgreSQL', () => openDatabase(isDemo));
  const neon = await startNeonEndpoint({ resolve: () => database_url });
  opened.add(() => neon.close());
  await opened.step('Migrations', () => migrateOwn(database_url, secrets, source));
  await opened.step('Worker', () =>
    startWorker({
      port,
      bindings,
      assets: { directory: folderAt(port, 'assets') },
      env: { MEDIA: { type: 'r2', name: 'media' }, ASSETS: { type: 'assets' } },
      scheduler: doesJobs,
      triggers: doesJobs,
      storage: folderAt(port, 'storage'),
      neonUrl: neon.url,
      devOutbound: true,
      compatibilityDate: wrangler.compatibility_date ?? '',
      compatibilityFlags: wrangler.compatibility_flags,
      processEnv: ownerMark(localPath()),
      log: showLog,
    }),
  );
  const name = isDemo ? 'Demo' : 'npm start';
  const known = (await readDemo(file))?.api_key;
  const api_key = await localKey({ name, known }, database_url, secrets.API_KEY_PEPPERS, source);
  const { api, notify } = prefixes(REST_ROOT);
  const addresses = { base_url, api_base: base_url + api, notify_base: base_url + notify };
  const { webhook_id, tokens } =
    isDemo && api_key !== undefined
      ? await openDemo({ ...addresses, api_key }, database_url)
      : { tokens: {} };
  const demo = { ...addresses, secrets: source, api_key, tokens, database_url };
  await writeDemo(file, demo);
  const signIn = api_key
    ? await consoleLink(database_url, secrets.API_KEY_PEPPERS, base_url)
    : undefined;
  const hasShop = MODULES.includes(shop.key);
  console.log(greeting(demo, { file, webhook_id, signIn, doesJobs, hasShop }));
  greeted = true;
}

const withShop = (named = '') =>
  named.split(/[\s,]+/).includes(shop.key) ? named : `${named} ${shop.key}`.trim();

/** @returns the direct address of the database: DATABASE_URL, or the store's own PostgreSQL */
async function openDatabase(isDemo: boolean): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given) {
    const url = directDatabase(given);
    await refuseUnfinished(url);
    if (isDemo) await refuseHeld(url);
    return withPlainTls(given);
  }
  const postgres = await startPostgres({ dataDir: localPath('postgres') });
  opened.add(() => postgres.stop());
  void postgres.ended.then(() => databaseEnd.resolve());
  return openDemoDatabase(postgres.url);
}

/**
 * Migrates the database. A deployment's secrets must belong to it; a database with this machine's secrets is marked
 * with them.
 */
async function migrateOwn(url: string, secrets: Secrets, source: SecretsSource): Promise<void> {
  const claim = { peppers: secrets.API_KEY_PEPPERS, sessionKeys: secrets.SESSION_KEYS };
  if (source === 'environment')
    await withDatabase(url, (client) => refuseOtherStore(client, claim));
  await migrateDatabase(url);
  if (source === 'machine') await withDatabase(url, (client) => markStore(client, claim, true));
}

async function openDemo(store: Address & { readonly notify_base: string }, database_url: string) {
  const webhook_id = await openSinkWebhook(store, `${store.notify_base}/sink`);
  const broken = await startBrokenReceiver();
  opened.add(broken.close);
  await openFailingWebhook(store, broken.url);
  const people = await opened.step('Demo store', () => fillStore(store, database_url));
  return { webhook_id, tokens: await issueTokens(store, people) };
}

/** Prints a request in one short line, and its failure. Requests that fill the demo store are left out. */
function showLog(line: string): void {
  if (opened.ending) return;
  if (!line.startsWith('{')) {
    console.log(line);
    return;
  }
  const { request, trouble } = logLines(line);
  if (greeted && request !== undefined) console.log(request);
  if (trouble !== undefined) console.error(trouble);
}

/** Runs the worker, and rebuilds it with its assets after every change of the sources. */
async function startWorker(
  setup: Omit<Parameters<typeof runWorker>[0], 'script'> & {
    readonly assets: { readonly directory: string };
  },
): Promise<void> {
  let running: ReturnType<typeof runWorker> | undefined;
  const entry = fileURLToPath(new URL('../worker.ts', import.meta.url));
  // Passes only variables without secrets, since they are on a command line.
  const { BASE_URL, REST_ROOT, MODULES, IDEMPOTENCY_DAYS } = setup.bindings;
  const published = { BASE_URL, REST_ROOT, MODULES, IDEMPOTENCY_DAYS };
  await new Promise<void>((resolve, reject) => {
    const onScript = (script: string) => {
      const built = rebuildAssets(published, setup.assets.directory);
      if (running) {
        void Promise.all([running, built])
          .then(([worker]) => worker.reload({ script }))
          .then(() => console.log('  Rebuilt the worker.'))
          .catch((error: unknown) => console.error(error));
        return;
      }
      running = built.then(() => withOurSignals(() => runWorker({ ...setup, script })));
      running.then(() => resolve(), reject);
    };
    const endWatch = watchWorker(entry, localPath('worker.js'), onScript);
    opened.add(async () => {
      reject(new Error('The build was interrupted.'));
      await endWatch();
      await (await running)?.dispose();
    });
  });
  const worker = await running;
  if (!worker || !setup.scheduler) return;
  const hourly = () => void worker.scheduled('0 * * * *').catch(console.error);
  const cron = setInterval(hourly, 3_600_000);
  opened.add(async () => clearInterval(cron));
}

async function consoleLink(url: string, peppers: string, base_url: string) {
  return withDatabase(url, async (client) => {
    const links = new ConsoleLinks(client, peppers);
    const email = await links.administrator();
    const link = email && (await links.create(email, base_url));
    return link ? { email, link } : undefined;
  });
}

/**
 * Returns the key of the last start, with the scopes that this version added, or a new one if it no longer works;
 * undefined if the peppers are unknown.
 */
async function localKey(
  { name, known }: { readonly name: string; readonly known: string | undefined },
  url: string,
  peppers: string,
  source: SecretsSource,
): Promise<string | undefined> {
  return withDatabase(url, async (client) => {
    const keys = new Keys(client, peppers);
    const all = scopes.map(({ name }) => name);
    if (known && (await keys.accepts(known))) {
      await keys.addScopes(known, all);
      return known;
    }
    if (source === 'unknown') return undefined;
    return keys.create({ name, scopes: all, signs_in_administrators: true });
  });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes Miniflare's signal handlers, which would end the process while everything else is open. */
function withOurSignals<T>(run: () => T): T {
  const ours = signals.map((signal) => process.listeners(signal));
  const result = run();
  for (const [i, signal] of signals.entries()) {
    for (const listener of process.listeners(signal))
      if (!ours[i]?.includes(listener)) process.off(signal, listener);
  }
  return result;
}

/** Closes the store with exit code 1 once its own PostgreSQL has ended by itself. */
async function closeAfterDatabase(start: Promise<unknown>): Promise<void> {
  await databaseEnd.promise;
  if (opened.ending) return;
  console.error('\nPostgreSQL has ended by itself. Closing the store.');
  process.exitCode = 1;
  await opened.close(start);
}

await command({ usage, options }, async ({ values }) => {
  const start = main(values);
  for (const signal of signals) {
    process.on(signal, () => {
      if (opened.ending) return;
      // After a SIGHUP nobody is there to read it.
      if (signal === 'SIGINT') console.log('\nClosing the store.');
      void opened.close(start);
    });
  }
  void closeAfterDatabase(start);
  const exitCode = () => Number(process.exitCode ?? 0);
  // The process ends by itself once everything is closed: process.exit() may wait for ever for V8's threads.
  return start.then(exitCode, async (error: Error) => {
    if (opened.ending) return exitCode();
    console.error(`\n${error.message}`);
    await opened.close(start);
    return exitCodeOf(error);
  });
});
