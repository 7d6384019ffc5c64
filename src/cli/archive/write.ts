import { mkdir, readdir, writeFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { type ArchivedTable, readSchemaVersion, readSequences, readTables } from './catalogue.ts';
import { TableFiles } from './files.ts';
import { Digest, type Manifest, manifestPath, manifestText } from './manifest.ts';
import { linesOf, plainSettings } from './rows.ts';

/** Receives each finished table. */
export type RowListener = (table: string, rows: number) => void;

/**
 * Writes a whole store into a folder, from one snapshot: a file of JSON lines for each table, and a manifest. Only
 * their owner can read them.
 * @param key encrypts the files
 * @throws Error if the folder isn't empty, or can't be made
 */
export async function writeArchive(
  client: Client,
  folder: string,
  heard: RowListener,
  key?: string,
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder} can't be made (${error.code}). Name a folder that isn't there yet.`);
  });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Name a folder that isn't there yet.`);
  await client.query('begin isolation level repeatable read read only');
  await client.query(plainSettings);
  const files = new TableFiles(folder, key !== undefined, key);
  const tables: Manifest['tables'] = {};
  for (const table of await readTables(client)) {
    const written = await writeTable(client, table, files);
    tables[table.name] = written;
    heard(table.name, written.rows);
  }
  const manifest: Manifest = {
    format: 2,
    ...(key !== undefined && { sealed: true }),
    schema: await readSchemaVersion(client),
    exported_at: new Date().toISOString(),
    tables,
    sequences: await readSequences(client),
  };
  await client.query('commit');
  await writeFile(manifestPath(folder), manifestText(manifest), { mode: 0o600, flush: true });
  return manifest;
}

async function writeTable(client: Client, table: ArchivedTable, files: TableFiles) {
  const digest = new Digest();
  const texts = async function* () {
    for await (const lines of linesOf(client, table)) yield digest.add(lines);
  };
  await files.write(table.name, texts());
  return digest.end();
}
