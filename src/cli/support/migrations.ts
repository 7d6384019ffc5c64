import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { preparedFunctions } from '../../kernel/auth/principals.ts';
import '../../endpoints.ts';
import '../../jobs/index.ts';
import { runBackfills } from './backfills.ts';
import { directDatabase, withDatabase } from './database.ts';
import { storeFunctions } from './stored-functions.ts';

const migrationsFolder = fileURLToPath(new URL('../../../drizzle', import.meta.url));

/** PostgreSQL's code for a table that is there already. */
const duplicateTable = '42P07';

/** Says what a failed migration means to whoever sees it. @throws Error */
function explain(error: Error): never {
  const { code } = (error.cause ?? {}) as { code?: string };
  if (code !== duplicateTable) throw error;
  throw new Error(
    'The database has tables of an earlier version, from which no migration leads here: before the first release there are none. Start over with an empty database; for the store on this machine, delete .local/.',
    { cause: error },
  );
}

/**
 * Brings the database behind a direct connection up to date.
 * @throws Error that says what to do, where the database is of a version without a way to this one
 */
export async function migrateDatabase(url: string): Promise<void> {
  await withDatabase(directDatabase(url), async (client) => {
    await client.query('set client_min_messages = warning');
    await migrate(drizzle({ client }), { migrationsFolder }).catch(explain);
    await storeFunctions(client, await preparedFunctions());
    await runBackfills(client);
  });
}
