import type { Client } from 'pg';
import type { StoredFunction } from '../../kernel/database/stored-function.ts';
import { inTransaction } from '../support/statements.ts';

/**
 * The time after which superseded functions are dropped, except those that were superseded last: a worker that was rolled
 * back still calls them, however long ago that was. It may stay through several failed upgrades.
 */
const term = '1 year';

/** If the store has a later version, nothing is superseded or dropped. */
interface StoreOptions {
  readonly isLater?: boolean;
}

/**
 * Creates the functions of prepared trips, before the worker is deployed. Functions of other versions stay for a while:
 * the previous worker runs until the deployment is complete, or again after a rollback.
 */
export async function storeFunctions(
  client: Client,
  functions: readonly StoredFunction[],
  { isLater = false }: StoreOptions = {},
): Promise<void> {
  const names = functions.map(({ name }) => name);
  await inTransaction(client, async () => {
    await client.query("select pg_advisory_xact_lock(hashtext('stored_functions'))");
    await nameFunctions(client, names);
    await create(client, functions);
    if (isLater) return;
    await client.query(
      `update stored_functions set superseded_at = now()
        where superseded_at is null and name <> all ($1)`,
      [names],
    );
    await dropOlder(client);
  });
}

export const nameFunctions = (client: Client, names: readonly string[]): Promise<unknown> =>
  client.query(
    `insert into stored_functions (name) select unnest($1::text[])
      on conflict (name) do update set superseded_at = null`,
    [names],
  );

/** Creates missing functions; the meaning of a name never changes. */
async function create(client: Client, functions: readonly StoredFunction[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc
      where proname = any ($1) and pronamespace = 'public'::regnamespace`,
    [functions.map(({ name }) => name)],
  );
  const present = new Set(rows.map(({ name }) => name));
  const texts = functions.filter(({ name }) => !present.has(name)).map(({ text }) => text);
  if (texts.length > 0) await client.query(texts.join(';\n'));
}

async function dropOlder(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `delete from stored_functions
      where superseded_at < (
        select max(superseded_at) from stored_functions where superseded_at < now() - $1::interval)
     returning name`,
    [term],
  );
  for (const { name } of rows) await client.query(`drop function if exists ${name}`);
}
