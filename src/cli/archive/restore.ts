import { migrateDatabase, migrateTo } from '../migrations/migrate.ts';
import { withDatabase } from '../support/database.ts';
import { readManifest } from './manifest.ts';
import { type ArchiveContents, readArchive } from './read.ts';
import type { RowListener } from './write.ts';

/**
 * Makes an empty database the store of an archive, whichever version wrote it: brings it to the migration of then, reads
 * the archive, of which every table has to end as it was written, and brings it up to date.
 * @param url of a direct connection
 * @param key what a sealed archive is sealed with
 */
export async function restoreArchive(
  url: string,
  folder: string,
  heard: RowListener,
  key: string | undefined,
): Promise<ArchiveContents> {
  const { schema } = await readManifest(folder);
  await migrateTo(url, schema);
  const contents = await withDatabase(url, (client) => readArchive(client, folder, heard, key));
  await migrateDatabase(url);
  return contents;
}
