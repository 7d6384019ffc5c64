import { leftOutText, readTables } from './catalogue.ts';
import { endArchive, holdsArchive, refuseWritten } from './read.ts';
import { restoreArchive } from './restore.ts';
import { type Manifest, readManifest, tablesIn } from './manifest.ts';
import { checkIntegrity } from '../integrity/index.ts';
import { withDatabase } from '../support/database.ts';
import { table } from '../support/table.ts';
import { withTarget } from '../support/rehearsal.ts';

/**
 * Reads an exported folder into an empty store.
 * @returns the exit code
 */
export async function importStore(folder: string, isWritten: boolean): Promise<number> {
  // Checked before a database is migrated in vain.
  const manifest = await readManifest(folder);
  if (!isWritten)
    console.log(
      'A rehearsal: rows are written only to a temporary PostgreSQL, which is deleted at the end.',
    );
  const code = await withTarget(isWritten, (url) => readStore(url, folder, manifest));
  if (!isWritten) console.log('Run it with --write and DATABASE_URL to read it into a store.');
  return code;
}

async function readStore(url: string, folder: string, manifest: Manifest): Promise<number> {
  // Checked before the migration too.
  await withDatabase(url, async (client) => {
    if (!(await holdsArchive(client, manifest)))
      await refuseWritten(client, await readTables(client));
  });
  const heard = (name: string, rows: number) => {
    if (rows > 0) console.log(`  ${name} ${rows}`);
  };
  const { raised } = await restoreArchive(url, folder, heard, process.env['BACKUP_KEY']);
  return withDatabase(url, async (client) => {
    const { own, leftOut } = tablesIn(manifest);
    const total = Object.values(own).reduce((sum, { rows }) => sum + rows, 0);
    console.log(`${total} rows are in, each as it was exported.`);
    if (leftOut.length > 0) console.log(`${leftOutText(leftOut)}.`);
    if (raised.length > 0)
      console.log(`New ids follow the existing ones in these tables: ${raised.join(', ')}.`);
    const differences = (await checkIntegrity(client)).filter((check) => check.differences > 0);
    await endArchive(client);
    if (differences.length === 0) return 0;
    console.log(`The store had these differences when it was exported:\n${table(differences)}`);
    return 1;
  });
}
