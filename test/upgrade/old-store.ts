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
import { Store } from '../harness/store.ts';

/** A store of a version: rows by table, sequences, and the functions that its worker calls. */
interface Pack {
  readonly tables: Readonly<Record<string, readonly object[]>>;
  readonly sequences: readonly { name: string; last_value: string; is_called: boolean }[];
  readonly functions: readonly string[];
}

const unpack = async (file: string) =>
  (await promisify(gunzip)(await readFile(join(import.meta.dirname, 'v0.0.0', file)))).toString();

/** The deployed worker of the first version. */
export const oldWorker = (): Promise<string> => unpack('worker.js.gz');

/** Opens a database with a store of the first version, its people and its orders. */
export async function openOldStore(): Promise<Store> {
  const database = await emptyDatabase();
  await runMigrations(database.client, migrations.slice(0, 3), () => undefined);
  // The first version's table has only drizzle's own columns.
  await database.client.query('alter table drizzle.__drizzle_migrations drop column name');
  const { tables, sequences, functions } = JSON.parse(await unpack('store.json.gz')) as Pack;
  await database.client.query(functions.join(';\n'));
  await database.client.query(
    `insert into stored_functions (name) select proname from pg_proc where proname like 'svc_trip_%'`,
  );
  await fill(database.client, tables);
  for (const { name, last_value, is_called } of sequences)
    await database.client.query('select setval($1, $2, $3)', [name, last_value, is_called]);
  const neon = await startNeonEndpoint({ resolve: () => database.url });
  return new Store(database.client, neon, database.url);
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
  await client.query("set session_replication_role = 'replica'; truncate settings");
  for (const [table, rows] of Object.entries(tables)) {
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
