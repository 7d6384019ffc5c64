import { fileURLToPath } from 'node:url';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { prefixes } from '../config.ts';
import { scopes } from '../schema/scopes.ts';
import { rebuildAssets } from './assets.ts';
import { directDatabase, withDatabase, withPlainTls } from './support/database.ts';
import { openDemoDatabase, holdsOwnStore } from './demo/database.ts';
import { fillStore, issueTokens } from './demo/store.ts';
import { openFailingWebhook, openSinkWebhook, startBrokenReceiver } from './demo/webhook.ts';
import type { Address } from './demo/shop.ts';
import { localPath, localSecrets, openFolder, readDemo, writeDemo } from './support/folder.ts';
import { greeting } from './greeting.ts';
import { ConsoleLinks } from './console-links.ts';
import { Keys } from './keys.ts';
import { logLines } from './log-lines.ts';
import { migrateDatabase } from './support/migrations.ts';
import { startNeonEndpoint } from '../local/neon/index.ts';
import { Opened } from './opened.ts';
import { readPort, refuseTakenPort } from './port.ts';
import { startPostgres } from '../local/postgres/index.ts';
import { checkedConfig, localVariables } from './variables.ts';
import { clearLeftoverWorker, ownerMark } from '../local/worker/leftover.ts';
import { runWorker, watchWorker } from '../local/worker/index.ts';

const assets = localPath('assets');
const opened = new Opened();
let greeted = false;

async function main(): Promise<void> {
  const port = readPort(process.env['PORT'] ?? '8787');
  const base_url = `http://127.0.0.1:${port}`;
  const wrangler = readWranglerConfig({
    config: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
  });
  await openFolder(localPath());
  await clearLeftoverWorker(localPath());
  await refuseTakenPort(port);
  const bindings = {
    ...localVariables(process.env, wrangler.vars),
    ...(await localSecrets()),
    BASE_URL: base_url,
    DATABASE_URL: 'postgresql://store:local@db.localhost/store',
    ENVIRONMENT: 'development',
  };
  const { REST_ROOT } = checkedConfig(bindings, process.env['DATABASE_URL']);
  console.log('Starting the store');
  const { database_url, isOwn } = await opened.step('PostgreSQL', openDatabase);
  const neon = await startNeonEndpoint({ resolve: () => database_url });
  opened.add(() => neon.close());
  await opened.step('Migrations', () => migrateDatabase(database_url));
  await opened.step('Worker', () =>
    startWorker({
      port,
      bindings,
      assets: { directory: assets },
      env: { MEDIA: { type: 'r2', name: 'media' }, ASSETS: { type: 'assets' } },
      scheduler: true,
      storage: localPath('storage'),
      neonUrl: neon.url,
      devOutbound: true,
      compatibilityDate: wrangler.compatibility_date ?? '',
      compatibilityFlags: wrangler.compatibility_flags,
      processEnv: ownerMark(localPath()),
      log: showLog,
    }),
  );
  const name = isOwn ? 'npm start' : 'Demo';
  const api_key = await localKey(name, database_url, bindings.API_KEY_PEPPERS);
  const { api, notify } = prefixes(REST_ROOT);
  const store = { api_base: base_url + api, api_key };
  const notify_base = base_url + notify;
  const { webhook_id, tokens } = isOwn
    ? { tokens: {} }
    : await openDemo(store, `${notify_base}/sink`, database_url);
  const demo = { base_url, api_base: store.api_base, notify_base, api_key, tokens, database_url };
  await writeDemo(demo);
  const link = await consoleLink(database_url, bindings.API_KEY_PEPPERS, base_url);
  console.log(greeting(demo, webhook_id, link));
  greeted = true;
}

/** The database's direct address, DATABASE_URL or the store's own PostgreSQL; whether it is no demo. */
async function openDatabase(): Promise<{ database_url: string; isOwn: boolean }> {
  const given = process.env['DATABASE_URL'];
  if (given) {
    const isOwn = await holdsOwnStore(directDatabase(given));
    return { database_url: withPlainTls(given), isOwn };
  }
  const postgres = await startPostgres({ dataDir: localPath('postgres') });
  opened.add(() => postgres.stop());
  return { database_url: await openDemoDatabase(postgres.url), isOwn: false };
}

/** Fills the demo store, and opens what its webhooks send to. */
async function openDemo(store: Address, sink: string, database_url: string) {
  const webhook_id = await openSinkWebhook(store, sink);
  const broken = await startBrokenReceiver();
  opened.add(broken.close);
  await openFailingWebhook(store, broken.url);
  const people = await opened.step('Demo store', () => fillStore(store, database_url));
  return { webhook_id, tokens: await issueTokens(store, people) };
}

/**
 * Shows a request in one short line, and what went wrong. Requests that fill the demo store are not
 * shown.
 */
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

/** Runs the built worker beside its assets, and both again with every change of the sources. */
async function startWorker(setup: Omit<Parameters<typeof runWorker>[0], 'script'>): Promise<void> {
  let running: ReturnType<typeof runWorker> | undefined;
  const entry = fileURLToPath(new URL('../worker.ts', import.meta.url));
  // No more than these: they stand on a command line.
  const { BASE_URL, REST_ROOT, MODULES, IDEMPOTENCY_DAYS } = setup.bindings;
  const published = { BASE_URL, REST_ROOT, MODULES, IDEMPOTENCY_DAYS };
  await new Promise<void>((resolve, reject) => {
    const onScript = (script: string) => {
      const built = rebuildAssets(published, assets);
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
      reject(new Error('The build was broken off.'));
      await endWatch();
      await (await running)?.dispose();
    });
  });
  const worker = await running;
  if (!worker) return;
  const hourly = () => void worker.scheduled('0 * * * *').catch(console.error);
  const cron = setInterval(hourly, 3_600_000);
  opened.add(async () => clearInterval(cron));
}

/** A link that signs in to the console as the first administrator, where the store has one. */
async function consoleLink(url: string, peppers: string, base_url: string) {
  return withDatabase(url, async (client) => {
    const links = new ConsoleLinks(client, peppers);
    const email = await links.administrator();
    const link = email && (await links.create(email, base_url));
    return link ? { email, link } : undefined;
  });
}

/** The key of the last start while it works, a new one otherwise; it may do everything. */
async function localKey(name: string, url: string, peppers: string): Promise<string> {
  return withDatabase(url, async (client) => {
    const keys = new Keys(client, peppers);
    const known = (await readDemo())?.api_key;
    if (known && (await keys.accepts(known))) return known;
    return keys.create({
      name,
      scopes: scopes.map(({ name }) => name),
      signs_in_administrators: true,
    });
  });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Miniflare would end the process at a signal, with all else still open. */
function withOurSignals<T>(run: () => T): T {
  const ours = signals.map((signal) => process.listeners(signal));
  const result = run();
  for (const [i, signal] of signals.entries()) {
    for (const listener of process.listeners(signal))
      if (!ours[i]?.includes(listener)) process.off(signal, listener);
  }
  return result;
}

const start = main();

for (const signal of signals) {
  process.on(signal, () => {
    if (opened.ending) return;
    // After a SIGHUP there is nobody to tell.
    if (signal === 'SIGINT') console.log('\nClosing the store.');
    void opened.close(start).then(() => process.exit(0));
  });
}

start.catch(async (error: Error) => {
  if (opened.ending) return;
  console.error(`\n${error.message}`);
  await opened.close(start);
  process.exit(1);
});
