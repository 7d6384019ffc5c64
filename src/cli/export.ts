import { command } from './support/command.ts';
import { chosenDatabase, withDatabase } from './support/database.ts';
import { noteBackup } from './support/store-mark.ts';
import { leftOutText } from './archive/catalogue.ts';
import { writeArchive } from './archive/write.ts';

const usage = `npm run export -- FOLDER

Writes the whole store into a new folder, as it is at one moment: the store in DATABASE_URL, or the one that runs here.
\`npm run import -- store FOLDER --write\` reads the folder into an empty database. Pictures stay in the bucket and secrets
with the deployment: neither is in the folder.`;

await command({ usage, words: ['FOLDER'] }, async ({ words: [folder = ''] }) => {
  const { tables, leftOut } = await withDatabase(await chosenDatabase(), async (client) => {
    const manifest = await writeArchive(client, folder, (table, rows) => {
      if (rows > 0) console.log(`  ${table} ${rows}`);
    });
    await noteBackup(client, manifest.exported_at);
    return manifest;
  });
  const total = Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
  console.log(
    `The store is in ${folder}: ${total} rows of ${Object.keys(tables).length} tables. They hold all personal data of its people: keep them as safe as the database.`,
  );
  if (leftOut.length > 0) console.log(`${leftOutText(leftOut)}.`);
});
