import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { localPath } from '../../../src/cli/support/folder.ts';
import { migrateDatabase } from '../../../src/cli/migrate.ts';
import { startNeonEndpoint } from '../../../src/local/neon/index.ts';
import { type Postgres, startPostgres } from '../../../src/local/postgres/index.ts';
import { buildWorker, runBareWorkerd } from '../../../src/local/worker/index.ts';
import { Shop } from '../../harness/shop.ts';
import { Store } from '../../harness/store.ts';
import { type Progress, fill } from './fill.ts';
import { type Size, sizeOf } from './size.ts';

/** A store of a size, and where it is served. */
export interface ScaledStore {
  readonly size: Size;
  readonly shop: Shop;
  readonly databaseUrl: string;
  /** Starts a worker on the store, with database connections of its own. @returns its address */
  serve(): Promise<string>;
}

/** The PostgreSQL that keeps the stores between runs. @param log gets each line of its log */
export async function openPostgres(
  closers: AsyncDisposableStack,
  log: (line: string) => void,
): Promise<Postgres> {
  const postgres = await startPostgres({
    dataDir: localPath('scale/postgres'),
    durable: false,
    log,
    settings: {
      shared_buffers: '2GB',
      work_mem: '64MB',
      maintenance_work_mem: '512MB',
      max_wal_size: '8GB',
      wal_level: 'minimal',
      max_wal_senders: '0',
    },
  });
  closers.defer(() => postgres.stop());
  return postgres;
}

/** Opens the store of that many orders: as an earlier run left it, or fills it. */
export async function openScaledStore(
  closers: AsyncDisposableStack,
  postgres: Postgres,
  orders: number,
  progress: Progress,
): Promise<ScaledStore> {
  const size = sizeOf(orders);
  const databaseUrl = await openDatabase(postgres, `store_${orders}_${await schemaHash()}`);
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const neon = await startNeonEndpoint({ resolve: () => databaseUrl });
  const store = new Store(database, neon, databaseUrl);
  store.clock.set(new Date().toISOString());
  closers.defer(() => store.close());
  const shop = await Shop.open(store);
  await fill(shop, size, progress);
  await database.query("update users set roles = '{administrator}' where id = $1", [size.users]);
  const serve = async () => {
    const endpoint = await endpointProcess(closers, databaseUrl);
    const script = await buildWorker(resolve(import.meta.dirname, '../../../src/worker.ts'));
    const worker = await runBareWorkerd({
      script,
      neonUrl: endpoint,
      bindings: await store.environment,
      compatibilityDate: '2026-10-20',
      compatibilityFlags: ['global_fetch_strictly_public'],
    });
    closers.defer(() => worker.stop());
    return worker.url;
  };
  return { size, shop, databaseUrl, serve };
}

/** A short name of what the migrations make: a store of another schema is filled anew. */
async function schemaHash(): Promise<string> {
  const folder = resolve(import.meta.dirname, '../../../drizzle');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 8);
}

/** Makes the database of that name, unless it is there; those of other schemas go. */
async function openDatabase({ url }: Postgres, name: string): Promise<string> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const { rows } = await admin.query<{ datname: string }>(
    "select datname from pg_database where datname like 'store\\_%'",
  );
  const [, orders, hash] = name.split('_');
  const known = rows.map(({ datname }) => datname);
  for (const other of known) {
    const [, count, schema] = other.split('_');
    if (count === orders && schema !== hash) await admin.query(`drop database ${other}`);
  }
  if (!known.includes(name)) await admin.query(`create database ${name}`);
  await admin.end();
  const databaseUrl = url.replace(/\/postgres$/, `/${name}`);
  await migrateDatabase(databaseUrl);
  return databaseUrl;
}

async function endpointProcess(closers: AsyncDisposableStack, databaseUrl: string) {
  const child = fork(resolve(import.meta.dirname, '../endpoint.ts'), [databaseUrl]);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  closers.defer(async () => {
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  });
  return url;
}
