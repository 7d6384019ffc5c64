import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import { startPostgres } from '../../src/local/postgres/index.ts';
import { Store, setCurrency } from '../harness/store.ts';
import { startEndpoint } from './processes.ts';

export interface OpenStore {
  store: Store;
  /** The address of the Neon endpoint, which is a process of its own. */
  endpoint: string;
}

export async function openStore(closers: AsyncDisposableStack): Promise<OpenStore> {
  const folder = await mkdtemp(join(tmpdir(), 'store-bench-'));
  closers.defer(() => rm(folder, { recursive: true, force: true }));
  // Not durable: the time that a disk needs to sync says nothing about the service.
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  closers.defer(() => postgres.stop());
  await migrateDatabase(postgres.url);
  const database = new Client({ connectionString: postgres.url });
  await database.connect();
  await setCurrency(database);
  const neon = await startNeonEndpoint({ resolve: () => postgres.url });
  const store = new Store(database, neon, 'postgres://service:secret@db.example.test/store');
  // workerd uses the machine's clock, so keys and tokens must use it, too.
  store.clock.set(new Date().toISOString());
  closers.defer(() => store.close());
  return { store, endpoint: await startEndpoint(closers, postgres.url) };
}
