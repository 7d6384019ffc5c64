import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { migrateDatabase } from '../../src/cli/migrate.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import { startPostgres } from '../../src/local/postgres/index.ts';
import { buildWorker, runBareWorkerd } from '../../src/local/worker/index.ts';
import { Scene } from '../contract/scene.ts';
import { Store } from '../harness/store.ts';
import type { Processes } from './cpu.ts';

/** Everything a measurement needs, on this machine. */
export interface Stage {
  /** The store, whose own endpoint can delay its trips; nothing else uses that one. */
  scene: Scene;
  /** Addresses of the service and of the floor, both on the endpoint that is a process of its own. */
  service: string;
  floor: string;
  /** Address of the service on the store's own endpoint. */
  delayed: string;
  endpointUrl?: string;
  /** The database, the workers, the endpoint they ask, and the callers. */
  processes: Processes;
}

/** Opens a store of 1,000 orders, has `measure` use it, and closes everything. */
export async function onStage(
  step: (what: string) => void,
  measure: (stage: Stage) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'store-bench-'));
  await using closers = new AsyncDisposableStack();
  closers.defer(() => rm(folder, { recursive: true, force: true }));
  step('PostgreSQL');
  // Not durable: what a disk takes to sync says nothing about the service.
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  closers.defer(() => postgres.stop());
  await migrateDatabase(postgres.url);
  const database = new Client({ connectionString: postgres.url });
  await database.connect();
  const neon = await startNeonEndpoint({ resolve: () => postgres.url });
  const store = new Store(database, neon, 'postgres://service:secret@db.example.test/store');
  // workerd has the machine's clock; keys and tokens are made by it too.
  store.clock.set(new Date().toISOString());
  closers.defer(() => store.close());

  step('Workers');
  const endpoint = await endpointProcess(postgres.url);
  closers.defer(endpoint.stop);
  const run = async (entry: string, neonUrl: string) => {
    const script = await buildWorker(resolve(import.meta.dirname, entry));
    const worker = await runBareWorkerd({
      script,
      neonUrl,
      bindings: await store.environment,
      compatibilityDate: '2026-10-20',
      compatibilityFlags: ['global_fetch_strictly_public'],
      devOutbound: true,
    });
    closers.defer(() => worker.stop());
    return worker;
  };
  const service = await run('../../src/worker.ts', endpoint.url);
  const floor = await run('./floor.ts', endpoint.url);
  const delayed = await run('../../src/worker.ts', neon.url);

  await measure({
    scene: await Scene.open(store),
    service: service.url,
    floor: floor.url,
    delayed: delayed.url,
    endpointUrl: endpoint.url,
    processes: {
      database: [postgres.pid],
      endpoint: [endpoint.pid],
      worker: [service.pid, floor.pid, delayed.pid],
      callers: [process.pid],
    },
  });
}

async function endpointProcess(databaseUrl: string) {
  const child = fork(resolve(import.meta.dirname, 'endpoint.ts'), [databaseUrl]);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const stop = async () => {
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  };
  return { url, pid: child.pid ?? 0, stop };
}
