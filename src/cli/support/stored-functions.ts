import type { Client } from 'pg';
import type { StoredFunction } from '../../kernel/database/prepared.ts';

/** The functions of a deployment, and the one before it. */
const kept = 2;

/**
 * Makes the functions that a version's prepared trips call, before its worker is deployed. Those of
 * the version before stay, since its worker answers until then; older ones are dropped.
 */
export async function storeFunctions(
  client: Client,
  functions: readonly StoredFunction[],
): Promise<void> {
  await client.query('begin');
  await client.query("select pg_advisory_xact_lock(hashtext('stored_functions'))");
  const { rows } = await client.query<{ name: string; latest: boolean; deployment: number }>(
    `select name, deployment, deployment = max(deployment) over () as latest from stored_functions`,
  );
  const before = Math.max(0, ...rows.map(({ deployment }) => deployment));
  const deployment = isLatest(functions, rows) ? before : before + 1;
  await client.query(
    `insert into stored_functions (name, deployment) select unnest($1::text[]), $2
      on conflict (name) do update set deployment = excluded.deployment`,
    [functions.map(({ name }) => name), deployment],
  );
  await create(client, functions);
  await dropOlder(client, deployment - kept);
  await client.query('commit');
}

/** Whether these are the functions that were made last. */
function isLatest(
  functions: readonly StoredFunction[],
  rows: readonly { name: string; latest: boolean }[],
): boolean {
  const latest = new Set(rows.filter((row) => row.latest).map(({ name }) => name));
  return latest.size === functions.length && functions.every(({ name }) => latest.has(name));
}

/** Makes those that the database lacks: what a name stands for never changes. */
async function create(client: Client, functions: readonly StoredFunction[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select proname as name from pg_proc where proname = any ($1)',
    [functions.map(({ name }) => name)],
  );
  const present = new Set(rows.map(({ name }) => name));
  const texts = functions.filter(({ name }) => !present.has(name)).map(({ text }) => text);
  if (texts.length > 0) await client.query(texts.join(';\n'));
}

async function dropOlder(client: Client, deployment: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'delete from stored_functions where deployment <= $1 returning name',
    [deployment],
  );
  for (const { name } of rows) await client.query(`drop function if exists ${name}`);
}
