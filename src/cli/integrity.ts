import { checkIntegrity } from './integrity/index.ts';
import { command } from './support/command.ts';
import { chosenDatabase, withDatabase } from './support/database.ts';
import { table } from './support/table.ts';

await command(async () => {
  const results = await withDatabase(await chosenDatabase(), checkIntegrity);
  console.log(table(results));
  return results.some(({ differences }) => differences > 0) ? 1 : 0;
});
