import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { readDemo } from './folder.ts';

const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

/** What to do where no database is named. */
export const noDatabase =
  'Set DATABASE_URL to the direct (not pooled) connection string of the database.';

/** Brings the database behind a direct connection up to date. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set client_min_messages = warning');
    await migrate(drizzle({ client }), { migrationsFolder });
  } finally {
    await client.end();
  }
}

if (import.meta.main) {
  const url = process.env['DATABASE_URL'] ?? (await readDemo())?.database_url;
  if (url) {
    await migrateDatabase(url);
    console.log('The database is up to date.');
  } else {
    console.error(noDatabase);
    process.exitCode = 1;
  }
}
