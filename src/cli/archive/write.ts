import { mkdir, readdir, writeFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { isKnownMigration } from '../migrations/migrate.ts';
import { readAddress } from '../support/store-mark.ts';
import {
  type ArchivedTable,
  isArchived,
  readSchemaVersion,
  readSequences,
  readTableNames,
  readTables,
} from './catalogue.ts';
import { TableFiles } from './files.ts';
import { Digest, type Manifest, manifestPath, manifestText } from './manifest.ts';
import { linesOf, plainSettings } from './rows.ts';

/** Receives each finished table. */
export type RowListener = (table: string, rows: number) => void;

export interface WrittenArchive extends Manifest {
  /** Tables of others in the store's database. */
  readonly leftOut: readonly string[];
}

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
): Promise<WrittenArchive> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder} can't be made (${error.code}). Name a folder that isn't there yet.`);
  });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Name a folder that isn't there yet.`);
  await client.query('begin isolation level repeatable read read only');
  await client.query(plainSettings);
  const exported_at = await readMoment(client);
  const seal = key === undefined ? undefined : { sealed: true as const };
  const header = { format: 3 as const, ...seal, exported_at };
  const files = new TableFiles(folder, header, key);
  const tables: Manifest['tables'] = {};
  const schema = await readSchemaVersion(client);
  const store = await readAddress(client);
  const names = await readTableNames(client);
  // The tables of a later version are unknown here, so all are written.
  const isWritten = isKnownMigration(schema) ? isArchived : () => true;
  const written = await readTables(client, names.filter(isWritten));
  for (const table of written) {
    const file = await writeTable(client, table, files);
    tables[table.name] = file;
    heard(table.name, file.rows);
  }
  const manifest: Manifest = {
    ...header,
    ...(store !== undefined && { store }),
    schema,
    tables,
    sequences: await readSequences(client, written),
  };
  await client.query('commit');
  await writeFile(manifestPath(folder), manifestText(manifest), { mode: 0o600, flush: true });
  return { ...manifest, leftOut: names.filter((name) => !(name in tables)) };
}

/** Returns when the transaction began: right before its snapshot, which the first query takes. */
async function readMoment(client: Client): Promise<string> {
  const { rows } = await client.query<{ ms: number }>(
    'select floor(extract(epoch from now()) * 1000)::float8 as ms',
  );
  return new Date(rows[0]?.ms ?? Number.NaN).toISOString();
}

async function writeTable(client: Client, table: ArchivedTable, files: TableFiles) {
  const digest = new Digest();
  const texts = async function* () {
    for await (const lines of linesOf(client, table)) yield digest.add(lines);
  };
  await files.write(table.name, texts());
  return digest.end();
}
