import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { localPath } from '../../../src/cli/support/folder.ts';
import { migrateDatabase } from '../../../src/cli/migrations/migrate.ts';
import { startNeonEndpoint } from '../../../src/local/neon/index.ts';
import { type Postgres, startPostgres } from '../../../src/local/postgres/index.ts';
import { StoreFixture } from '../../harness/store-fixture.ts';
import { Store, setCurrency } from '../../harness/store.ts';
import { type WorkerOptions, startEndpoint, startWorker } from '../processes.ts';
import { type Progress, fill } from './fill.ts';
import { type Size, sizeOf } from './size.ts';

export interface ScaledStore {
  readonly size: Size;
  readonly fixture: StoreFixture;
  readonly databaseUrl: string;
  /**
   * Starts a worker on the store, with database connections of its own.
   * @returns its address
   */
  serve(options?: Partial<WorkerOptions>): Promise<string>;
}

/**
 * The PostgreSQL that keeps the stores between runs.
 * @param log gets each line of its log
 * @param settings additional settings
 */
export async function openPostgres(
  closers: AsyncDisposableStack,
  log: (line: string) => void,
  settings: Record<string, string> = {},
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
      ...settings,
    },
  });
  closers.defer(() => postgres.stop());
  return postgres;
}

/**
 * Opens the store of that many orders as an earlier run left it, or fills it.
 * @param copy opens a copy, which is deleted in the end
 */
export async function openScaledStore(
  closers: AsyncDisposableStack,
  postgres: Postgres,
  orders: number,
  progress: Progress,
  { copy = false } = {},
): Promise<ScaledStore> {
  const size = sizeOf(orders);
  const name = `store_${orders}_${await schemaHash()}`;
  const databaseUrl = await openDatabase(postgres, name);
  await using filling = new AsyncDisposableStack();
  const fixture = await openShop(copy ? filling : closers, databaseUrl);
  await fill(fixture, size, progress);
  await fixture.store.database.query("update users set roles = '{administrator}' where id = $1", [
    size.users,
  ]);
  if (!copy) return scaledStore(closers, fixture, size);
  await filling.disposeAsync();
  return scaledStore(closers, await openShop(closers, await copyOf(closers, postgres, name)), size);
}

async function openShop(closers: AsyncDisposableStack, databaseUrl: string): Promise<StoreFixture> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  await setCurrency(database);
  const neon = await startNeonEndpoint({ resolve: () => databaseUrl });
  const store = new Store(database, neon, databaseUrl);
  store.clock.set(new Date().toISOString());
  closers.defer(() => store.close());
  return StoreFixture.open(store);
}

function scaledStore(
  closers: AsyncDisposableStack,
  fixture: StoreFixture,
  size: Size,
): ScaledStore {
  const { databaseUrl, environment } = fixture.store;
  const serve = async (options: Partial<WorkerOptions> = {}) =>
    startWorker(closers, '../../src/worker.ts', {
      neonUrl: await startEndpoint(closers, databaseUrl),
      bindings: await environment,
      ...options,
    });
  return { size, fixture, databaseUrl, serve };
}

/**
 * Copies a database that has no connections.
 * @returns the address of the copy
 */
async function copyOf(
  closers: AsyncDisposableStack,
  { url }: Postgres,
  name: string,
): Promise<string> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const remove = () => admin.query('drop database if exists copy with (force)');
  closers.defer(async () => {
    await remove();
    await admin.end();
  });
  await remove();
  await admin.query(`create database copy template ${name} strategy file_copy`);
  return url.replace(/\/postgres$/, '/copy');
}

/** A short name of the schema that the migrations make; a store of another schema is filled anew. */
async function schemaHash(): Promise<string> {
  const folder = resolve(import.meta.dirname, '../../../drizzle');
  const texts = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  // Migrations count by their dates in this file.
  const files = [...texts, 'meta/_journal.json'];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 8);
}

/** Makes the database of that name if it doesn't exist, and deletes those of other schemas. */
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
