import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Client } from 'pg';
import { inject } from 'vitest';
import { migrations } from '../../src/cli/migrations/migrate.ts';
import { runMigrations } from '../../src/cli/migrations/run.ts';
import { startNeonEndpoint } from '../../src/local/neon/index.ts';
import { runBareWorkerd } from '../../src/local/worker/index.ts';
import type { Reply } from '../harness/client.ts';
import { Store } from '../harness/store.ts';

/** The number of migrations of each version whose store and worker are kept. */
const migrationsOf = { 'v0.0.0': 3, 'v0.1.0': 31 };

export type OldVersion = keyof typeof migrationsOf;

/** A store of a version: rows by table, sequences, and the functions that its worker calls. */
interface Pack {
  readonly tables: Readonly<Record<string, readonly object[]>>;
  readonly sequences: readonly { name: string; last_value: string; is_called: boolean }[];
  readonly functions: readonly string[];
}

const unpack = async (version: OldVersion, file: string) =>
  (await promisify(gunzip)(await readFile(join(import.meta.dirname, version, file)))).toString();

/** Opens a database with a store of an old version, its people and its orders. */
export async function openOldStore(version: OldVersion): Promise<Store> {
  const database = await emptyDatabase();
  await runMigrations(database.client, migrations.slice(0, migrationsOf[version]), () => undefined);
  // The first version's table has only drizzle's own columns.
  if (version === 'v0.0.0')
    await database.client.query('alter table drizzle.__drizzle_migrations drop column name');
  const { tables, sequences, functions } = JSON.parse(
    await unpack(version, 'store.json.gz'),
  ) as Pack;
  await database.client.query(
    ['set check_function_bodies = off', ...functions, 'reset check_function_bodies'].join(';\n'),
  );
  await database.client.query(
    `insert into stored_functions (name) select proname from pg_proc where proname like 'svc_trip_%'`,
  );
  await fill(database.client, tables);
  for (const { name, last_value, is_called } of sequences)
    await database.client.query('select setval($1, $2, $3)', [name, last_value, is_called]);
  const neon = await startNeonEndpoint({ resolve: () => database.url });
  return new Store(database.client, neon, database.url);
}

export interface OldWorker {
  readonly url: string;
  /** Calls the API with a key that may do everything. */
  readonly call: (
    method: string,
    path: string,
    body?: object,
  ) => Promise<Pick<Reply, 'status' | 'body'>>;
  stop(): Promise<void>;
}

/** Runs the deployed worker of an old version on a store. */
export async function runOldWorker(
  store: Store,
  version: OldVersion,
  modules = '',
): Promise<OldWorker> {
  const worker = await runBareWorkerd({
    script: await unpack(version, 'worker.js.gz'),
    bindings: { ...(await store.environment), MODULES: modules },
    neonUrl: store.neon.url,
    compatibilityDate: '2026-10-20',
    compatibilityFlags: ['global_fetch_strictly_public'],
  });
  const { token } = await store.createKey();
  return {
    url: worker.url,
    stop: () => worker.stop(),
    async call(method, path, body) {
      const response = await fetch(`${worker.url}/api/svc/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

export async function emptyDatabase(): Promise<{ client: Client; url: string }> {
  const url = new URL(inject('postgresUrl'));
  const server = new Client({ connectionString: url.href });
  await server.connect();
  url.pathname = `/empty_${randomUUID().replaceAll('-', '')}`;
  await server.query(`create database ${url.pathname.slice(1)} template template0`);
  await server.end();
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return { client, url: url.href };
}

/** Writes rows unchanged, without triggers and references. */
async function fill(client: Client, tables: Pack['tables']): Promise<void> {
  await client.query("set session_replication_role = 'replica'");
  for (const [table, rows] of Object.entries(tables)) {
    // Migrations have inserted some rows.
    await client.query(`delete from ${table}`);
    const columns = Object.keys(rows[0] ?? {})
      .map((column) => `"${column}"`)
      .join(', ');
    if (columns)
      await client.query(
        `insert into ${table} (${columns}) overriding system value
           select ${columns} from json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(rows)],
      );
  }
  await client.query('reset session_replication_role');
}
