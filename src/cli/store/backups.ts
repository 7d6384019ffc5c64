import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from '../archive/manifest.ts';
import { readArchive } from '../archive/read.ts';
import { writeArchive } from '../archive/write.ts';
import { migrateDatabase } from '../migrations/migrate.ts';
import { withDatabase } from '../support/database.ts';
import { withTarget } from '../support/rehearsal.ts';
import { noteBackup } from '../support/store-mark.ts';
import { type NamedStore, storesFolder } from './definition.ts';
import { readSecrets, secretOf } from './secrets.ts';
import type { Step } from './steps.ts';

const nobody = () => undefined;

/** The folder of a store's backups, each in a folder named by its moment. */
const backupsOf = (name: string) => join(storesFolder(), 'backups', name);

/**
 * The steps that write a store into a folder.
 * @param keep how many backups are left; all of them if undefined
 */
export function backupSteps(store: NamedStore, keep: number | undefined): Step[] {
  return [
    { name: 'backup', run: () => backUp(store) },
    ...(keep === undefined ? [] : [{ name: 'older', run: () => deleteOlder(store.name, keep) }]),
  ];
}

/** Exports a store. What is not whole has another name, and goes with the next backup. */
async function backUp(store: NamedStore): Promise<string> {
  const url = secretOf(store, await readSecrets(store), 'DATABASE_URL_DIRECT');
  const folder = backupsOf(store.name);
  const draft = join(folder, 'unfinished');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(draft, { recursive: true, force: true });
  const rows = await withDatabase(url, async (client) => {
    const { tables } = await writeArchive(client, draft, nobody);
    await noteBackup(client);
    return Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  });
  const kept = join(folder, new Date().toISOString().replaceAll(':', '-'));
  await rename(draft, kept);
  return `${rows} rows, in ${kept}`;
}

async function deleteOlder(name: string, keep: number): Promise<string> {
  const folder = backupsOf(name);
  const all = (await readdir(folder)).filter((one) => /^\d{4}-/.test(one)).toSorted();
  const older = all.slice(0, Math.max(0, all.length - keep));
  for (const one of older) await rm(join(folder, one), { recursive: true, force: true });
  return `${older.length} deleted, ${all.length - older.length} left`;
}

/** The step that reads a backup into a PostgreSQL that is thrown away, and compares each table with it. */
export function drillSteps(folder: string): Step[] {
  return [{ name: 'drill', run: () => drill(folder) }];
}

/** @throws Error naming the tables that came out otherwise than they are in the backup */
async function drill(folder: string): Promise<string> {
  const expected = await readManifest(folder);
  const found = await withTarget(false, async (url) => {
    await migrateDatabase(url);
    return withDatabase(url, async (client) => {
      await readArchive(client, folder, nobody);
      const again = `${folder}.drill-${process.pid}`;
      try {
        return await writeArchive(client, again, nobody);
      } finally {
        await rm(again, { recursive: true, force: true });
      }
    });
  });
  const different = Object.entries(expected.tables).filter(
    ([table, { sha256 }]) => found.tables[table]?.sha256 !== sha256,
  );
  if (different.length > 0)
    throw new Error(`These tables differ: ${different.map(([table]) => table).join(', ')}.`);
  const rows = Object.values(expected.tables).reduce((sum, table) => sum + table.rows, 0);
  return `${rows} rows of ${Object.keys(expected.tables).length} tables, 0 differences`;
}
