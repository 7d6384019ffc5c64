import type { Client } from 'pg';
import { withDatabase } from '../support/database.ts';

/** The comment on a database whose demo store is being filled: it is gone when that is complete. */
const UNFINISHED = 'sales-api: the demo store is not complete';

/**
 * The store's database on its own PostgreSQL. What a start that was broken off had begun to fill is
 * dropped.
 * @returns its connection string
 */
export async function openDemoDatabase(server: string): Promise<string> {
  await withDatabase(server, async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      `select shobj_description(oid, 'pg_database') as comment
         from pg_database where datname = 'store'`,
    );
    if (rows[0]?.comment === UNFINISHED) await client.query('drop database store with (force)');
    else if (rows[0]) return;
    await client.query('create database store');
  });
  return server.replace(/\/postgres$/, '/store');
}

/**
 * Whether a database holds a store of somebody's own, which the demo is not to be put into.
 * @throws Error when a demo store in it was left half filled
 */
export async function holdsOwnStore(url: string): Promise<boolean> {
  return withDatabase(url, async (client) => {
    const { rows } = await client.query<{ comment: string | null; store: boolean }>(
      `select shobj_description(oid, 'pg_database') as comment,
              to_regclass('user_external_ids') is not null as store
         from pg_database where datname = current_database()`,
    );
    if (rows[0]?.comment === UNFINISHED)
      throw new Error(
        'The demo store in DATABASE_URL is not complete: a start was broken off. Make the database anew, and start again.',
      );
    if (!rows[0]?.store || (await isEmpty(client))) return false;
    const demo = await client.query("select from user_external_ids where provider = 'demo'");
    return demo.rowCount === 0;
  });
}

/** Whether nobody and nothing is in the store yet. */
export async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(
    `select not exists (select from users) and not exists (select from products)
        and not exists (select from orders) as empty`,
  );
  return rows[0]?.empty === true;
}

/** Does what must not be left half done: a start that finds it so begins with an empty database. */
export async function completing<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const comment = (text: string) =>
    client.query(`do $$ begin
      execute format('comment on database %I is ''${text}''', current_database());
    end $$`);
  await comment(UNFINISHED);
  const result = await work();
  await comment('');
  return result;
}
