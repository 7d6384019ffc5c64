import { command } from './support/command.ts';
import { chosenDatabase } from './support/database.ts';
import { migrateDatabase } from './migrations/migrate.ts';

const usage = `npm run migrate

Brings the database in DATABASE_URL up to date, or the one of the store that runs here. It takes the direct connection
string, not the pooled one.`;

await command({ name: 'migrate', usage }, async () => {
  await migrateDatabase(await chosenDatabase(), console.log);
  console.log('The database is up to date.');
});
