import { migrateDatabase, migrateTo } from '../migrations/migrate.ts';
import { withDatabase } from '../support/database.ts';
import { readManifest } from './manifest.ts';
import { type ArchiveContents, readArchive } from './read.ts';
import type { RowListener } from './write.ts';

/**
 * Restores an archive of any version into an empty database: migrates to the archive's migration, reads the archive,
 * and migrates to the newest version.
 * @param url of a direct connection
 * @param key the key of a sealed archive
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
