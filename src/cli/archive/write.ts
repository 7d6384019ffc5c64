import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { type ArchivedTable, readSchemaVersion, readSequences, readTables } from './catalogue.ts';
import { Digest, type Manifest, manifestPath, manifestText, tablePath } from './manifest.ts';
import { linesOf, plainSettings } from './rows.ts';

/** Hears of each table when it is done. */
export type RowListener = (table: string, rows: number) => void;

/**
 * Writes a whole store into a folder, as it is at one moment: a file of JSON lines a table, and a manifest. Nobody
 * else may read them: they are all that the store knows, its people included.
 * @throws Error where the folder has something in it, or can't be made
 */
export async function writeArchive(
  client: Client,
  folder: string,
  heard: RowListener,
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder} can't be made (${error.code}). Name a folder that isn't there yet.`);
  });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Name a folder that isn't there yet.`);
  await client.query('begin isolation level repeatable read read only');
  await client.query(plainSettings);
  const tables: Manifest['tables'] = {};
  for (const table of await readTables(client)) {
    const written = await writeTable(client, table, folder);
    tables[table.name] = written;
    heard(table.name, written.rows);
  }
  const manifest: Manifest = {
    format: 2,
    schema: await readSchemaVersion(client),
    exported_at: new Date().toISOString(),
    tables,
    sequences: await readSequences(client),
  };
  await client.query('commit');
  await writeFile(manifestPath(folder), manifestText(manifest), { mode: 0o600, flush: true });
  return manifest;
}

async function writeTable(client: Client, table: ArchivedTable, folder: string) {
  await using file = await open(tablePath(folder, table.name), 'wx', 0o600);
  const digest = new Digest();
  // Unlike `write`, which on a full disk may write a part and say so by a number.
  for await (const lines of linesOf(client, table)) await file.appendFile(digest.add(lines));
  await file.sync();
  return digest.end();
}
