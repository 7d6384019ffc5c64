import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { unstable_readConfig as readWranglerConfig } from 'wrangler';
import { rebuildAssets } from './assets.ts';
import { fillStore, issueTokens } from './demo/store.ts';
import { openSinkWebhook } from './demo/webhook.ts';
import { localPath, localSecrets, readDemo, writeDemo } from './folder.ts';
import { Keys } from './keys.ts';
import { migrateDatabase } from './migrate.ts';
import { startNeonEndpoint } from './neon.ts';
import { startPostgres } from './postgres.ts';
import { scopes } from '../auth/scopes.ts';
import { runWorker, watchWorker } from './worker.ts';

const port = Number(process.env['PORT'] ?? 8787);
const base_url = `http://127.0.0.1:${port}`;
const assets = localPath('assets');

/** What has to be closed, last opened first. */
const closers: (() => Promise<unknown>)[] = [];
let closing: Promise<void> | undefined;

/** Stops everything that was started; called twice it waits for the first. */
function stop(): Promise<void> {
  closing ??= (async () => {
    for (const close of closers.toReversed()) await close().catch(() => undefined);
  })();
  return closing;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void stop().then(() => process.exit(0)));
}

/** Says what is being done and, when it is done, that it is. */
async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  process.stdout.write(`  ${what} …`);
  const result = await work();
  console.log(` ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

async function refuseTakenPort(): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', () =>
      reject(new Error(`Port ${port} is taken. Free it, or choose another: PORT=8788 npm start`)),
    );
    probe.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** The database's direct address: the one in DATABASE_URL, or the store's own PostgreSQL. */
async function openDatabase(): Promise<string> {
  const given = process.env['DATABASE_URL'];
  if (given) return given;
  const postgres = await startPostgres({ dataDir: localPath('postgres') });
  closers.push(() => postgres.stop());
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rowCount } = await client.query("select from pg_database where datname = 'store'");
  if (rowCount === 0) await client.query('create database store');
  await client.end();
  return postgres.url.replace(/\/postgres$/, '/store');
}

async function main(): Promise<void> {
  await refuseTakenPort();
  await mkdir(localPath(), { recursive: true });
  console.log('Starting the store');
  const database_url = await step('PostgreSQL', openDatabase);
  const neon = await startNeonEndpoint({ resolve: () => database_url });
  closers.push(() => neon.close());
  await step('Migrations', () => migrateDatabase(database_url));
  const secrets = await localSecrets();
  const config = readWranglerConfig({
    config: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
  });
  const restRoot = process.env['REST_ROOT'] ?? String(config.vars['REST_ROOT']);
  const vars = {
    BASE_URL: base_url,
    REST_ROOT: restRoot,
    MODULES: process.env['MODULES'] ?? String(config.vars['MODULES']),
  };
  await step('Worker', () =>
    startWorker(vars, {
      assets: { directory: assets },
      env: { MEDIA: { type: 'r2', name: 'media' } },
      storage: localPath('media'),
      bindings: {
        ...secrets,
        ...vars,
        DATABASE_URL: 'postgresql://store:local@db.localhost/store',
        ENVIRONMENT: 'development',
      },
      neonUrl: neon.url,
      devOutbound: true,
      compatibilityDate: config.compatibility_date ?? '',
      compatibilityFlags: config.compatibility_flags,
    }),
  );
  const api_key = await demoKey(database_url, secrets.API_KEY_PEPPERS);
  const store = { api_base: `${base_url}${restRoot}/svc/v1`, api_key };
  const notify_base = `${base_url}${restRoot}/svc-notify/v1`;
  const webhook_id = await openSinkWebhook(store, `${notify_base}/sink`);
  const people = await step('Demo store', () => fillStore(store, database_url));
  const demo = {
    base_url,
    api_base: store.api_base,
    notify_base,
    api_key,
    tokens: await issueTokens(store, people),
    database_url,
  };
  await writeDemo(demo);
  greet(demo, webhook_id);
  greeted = true;
}

let greeted = false;

/** Shows a request in one short line; those that fill the demo store are not shown. */
function showLog(line: string): void {
  if (!line.startsWith('{')) {
    console.log(line);
    return;
  }
  const { method, operation, status, trips, db_ms, error, stack } = JSON.parse(line) as Record<
    string,
    unknown
  >;
  if (greeted) {
    console.log(
      `  ${String(status)} ${String(method)} ${String(operation)}  ${String(trips)} trips, ${String(db_ms)} ms`,
    );
  }
  if (error) console.error(error, stack);
}

/** Runs the built worker beside its assets, and both again with every change of the sources. */
async function startWorker(
  vars: Record<string, string>,
  setup: Omit<Parameters<typeof runWorker>[0], 'script'>,
): Promise<void> {
  let running: ReturnType<typeof runWorker> | undefined;
  const entry = fileURLToPath(new URL('../worker.ts', import.meta.url));
  await new Promise<void>((resolve, reject) => {
    const onScript = (script: string) => {
      const built = rebuildAssets(vars, assets);
      if (running) {
        void Promise.all([running, built])
          .then(([worker]) => worker.reload({ script }))
          .then(() => console.log('  Rebuilt the worker.'))
          .catch((error: unknown) => console.error(error));
        return;
      }
      running = built.then(() => runWorker({ ...setup, script, port, log: showLog }));
      running.then(() => resolve(), reject);
    };
    closers.push(watchWorker(entry, localPath('worker.js'), onScript));
  });
  const worker = await running;
  if (!worker) return;
  closers.push(() => worker.dispose());
  const cron = setInterval(() => void worker.scheduled('* * * * *').catch(console.error), 60_000);
  closers.push(async () => clearInterval(cron));
}

/** The demo key of the last start while it works, a new one otherwise; it holds every scope. */
async function demoKey(url: string, peppers: string): Promise<string> {
  return Keys.with(url, peppers, async (keys) => {
    const known = (await readDemo())?.api_key;
    const live = (await keys.list()).filter(({ revoked_at }) => revoked_at === null);
    const prefix = known?.split('_')[1] ?? '';
    if (known && live.some(({ prefixes }) => prefixes.includes(prefix))) return known;
    return keys.create({ name: 'Demo', scopes: scopes.map(({ name }) => name) });
  });
}

/** @param webhook_id the webhook that goes to the store's own sink */
function greet(demo: Parameters<typeof writeDemo>[0], webhook_id: number): void {
  const { api_base, api_key, tokens } = demo;
  console.log(`
The store is open. Ctrl-C closes it; its data stays in .local/.

  Service      ${demo.base_url}/
  API          ${api_base}
  Notify       ${demo.notify_base}
  Docs         ${demo.base_url}/docs

  API key      ${api_key}
  Tokens       administrator, affiliate and buyer: in .local/demo.json

Try these in another terminal:

  curl -s '${api_base}/orders?per_page=2' -H 'Authorization: Bearer ${api_key}'

  curl -s '${api_base}/orders' -H 'Authorization: Bearer ${api_key}' -H 'Content-Type: application/json' -H 'Idempotency-Key: first-order' -d '{"product_id":1,"user_id":4}'

  curl -s '${api_base}/me' -H 'Authorization: Bearer ${tokens.buyer}'

What happens is sent to a webhook, the store's own sink; its log:

  curl -s '${demo.notify_base}/feed?webhook_id=${webhook_id}' -H 'Authorization: Bearer ${api_key}'
`);
}

try {
  await main();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  await stop();
  process.exit(1);
}
