import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { command } from './support/command.ts';
import { chosenDatabase, directDatabase, withDatabase } from './support/database.ts';
import { preparedFunctions } from '../kernel/auth/principals.ts';
import '../endpoints.ts';
import '../jobs/index.ts';
import { storeFunctions } from './support/stored-functions.ts';

const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

/** Brings the database behind a direct connection up to date. */
export async function migrateDatabase(url: string): Promise<void> {
  await withDatabase(directDatabase(url), async (client) => {
    await client.query('set client_min_messages = warning');
    await migrate(drizzle({ client }), { migrationsFolder });
    await storeFunctions(client, await preparedFunctions());
  });
}

if (import.meta.main) {
  await command(async () => {
    await migrateDatabase(await chosenDatabase());
    console.log('The database is up to date.');
  });
}
