import { command } from './support/command.ts';
import { chosenDatabase } from './support/database.ts';
import { migrateDatabase } from './support/migrations.ts';

await command(async () => {
  await migrateDatabase(await chosenDatabase(), console.log);
  console.log('The database is up to date.');
});
