import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../../src/cli/migrations/migrate.ts';
import { startPostgres } from '../../src/local/postgres/index.ts';
import { Client } from 'pg';
import { findChromium } from '../console/harness/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's only PostgreSQL; its database `template_store` is migrated and empty. */
    postgresUrl: string;
    postgresFolder: string;
    /** The path of the browser for the console's tests. */
    chromium: string | undefined;
    /** A folder that is removed when the run ends. */
    folder: string;
    /** A folder for compiled modules of the programs that tests start. */
    compiled: string;
    /** The number of kills at each point; a few by default. */
    kills: number | undefined;
    /** True in the long proofs, which run all cases instead of the hardest one. */
    isLong: boolean | undefined;
  }
}

/** Starts one PostgreSQL for the run, with a migrated database that stores clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'store-test-'));
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    durable: false,
    settings: {
      // Autovacuum would visit hundreds of databases every minute, and change plans by chance.
      autovacuum: 'off',
      // Tables have a few rows: starting a process to read them costs more than reading them.
      max_parallel_workers_per_gather: '0',
      // Reduces the log, into which every clone is written.
      wal_level: 'minimal',
      max_wal_senders: '0',
      // The folder of its data: sockets take less processor time.
      unix_socket_directories: '.',
    },
  });
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('create database template_store');
  await client.end();
  await migrateDatabase(postgres.url.replace(/\/postgres$/, '/template_store'));
  project.provide('postgresUrl', postgres.url);
  project.provide('postgresFolder', join(folder, 'postgres'));
  project.provide('chromium', findChromium());
  project.provide('folder', folder);
  project.provide('compiled', join(folder, 'compiled'));
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
