import { checkIntegrity } from './integrity/index.ts';
import { command } from './support/command.ts';
import { chosenDatabase, withDatabase } from './support/database.ts';
import { table } from './support/table.ts';

const usage = `npm run integrity

Recomputes every derived figure of the store in DATABASE_URL, or of the one that runs here, and lists the differences,
with the ids of the first ten records. It changes nothing, and ends with 1 if there are any.`;

await command({ usage }, async () => {
  const results = await withDatabase(await chosenDatabase(), checkIntegrity);
  console.log(table(results));
  return results.some(({ differences }) => differences > 0) ? 1 : 0;
});
