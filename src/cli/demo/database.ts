import type { Client } from 'pg';
import { findWritten } from '../archive/catalogue.ts';
import { withDatabase } from '../support/database.ts';

/** The comment on a database while its demo store is being filled. */
const UNFINISHED = 'sales-api: the demo store is not complete';

/**
 * Creates the store's database on its own PostgreSQL. An incomplete one of an interrupted start is dropped.
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

/** @throws Error if a demo store in the database is incomplete */
export async function refuseUnfinished(url: string): Promise<void> {
  await withDatabase(url, async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      `select shobj_description(oid, 'pg_database') as comment
         from pg_database where datname = current_database()`,
    );
    if (rows[0]?.comment === UNFINISHED)
      throw new Error(
        'The demo store in DATABASE_URL is incomplete: an earlier start was interrupted. Create the database again, then restart.',
      );
  });
}

/** @throws Error if any table of the database has a row, or a setting was changed */
export async function refuseHeld(url: string): Promise<void> {
  await withDatabase(url, async (client) => {
    const held = await findWritten(client, await readAllTables(client));
    if (held !== undefined)
      throw new Error(
        `The database in DATABASE_URL is not empty (${held}). The demo store needs an empty one. Leave out --demo to open the store in it.`,
      );
  });
}

/** All tables of a database, except those that migrations fill. */
async function readAllTables(client: Client): Promise<{ name: string }[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name
       from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and nspname !~ '^pg_' and nspname <> 'information_schema'
        and c.oid::regclass::text not in ('stored_functions', 'store_mark', 'drizzle.__drizzle_migrations')
        and not exists (select from pg_depend
                         where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
      order by 1`,
  );
  return rows;
}

export async function isEmpty(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(
    `select not exists (select from users) and not exists (select from products)
        and not exists (select from orders) as empty`,
  );
  return rows[0]?.empty === true;
}

/** Does work that must be completed: after an interruption, the next start begins with an empty database. */
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
