import { migrateDatabase, migrateTo } from '../migrations/migrate.ts';
import { withDatabase } from '../support/database.ts';
import { noteBackup } from '../support/store-mark.ts';
import { readManifest } from './manifest.ts';
import { type ArchiveContents, holdsArchive, readArchive } from './read.ts';
import type { RowListener } from './write.ts';

interface Restored extends ArchiveContents {
  /** True if an interrupted command had read all rows. */
  readonly wasRead: boolean;
}

/**
 * Restores an archive of any version into an empty database: migrates to the archive's migration, reads the archive,
 * and migrates to the newest version. After an interruption it continues with what is missing.
 * @param url of a direct connection
 * @param key the key of a sealed archive
 */
export async function restoreArchive(
  url: string,
  folder: string,
  heard: RowListener,
  key: string | undefined,
): Promise<Restored> {
  const manifest = await readManifest(folder);
  const wasRead = await withDatabase(url, (client) => holdsArchive(client, manifest));
  const { raised } = wasRead
    ? { raised: [] }
    : await readNew(url, manifest.schema, folder, heard, key);
  await migrateDatabase(url);
  // The archive is the new database's last backup.
  await withDatabase(url, (client) => noteBackup(client, manifest.exported_at));
  return { manifest, raised, wasRead };
}

async function readNew(
  url: string,
  schema: string,
  folder: string,
  heard: RowListener,
  key: string | undefined,
): Promise<ArchiveContents> {
  await migrateTo(url, schema);
  return withDatabase(url, (client) => readArchive(client, folder, heard, key));
}
