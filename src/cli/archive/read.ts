import { StringDecoder } from 'node:string_decoder';
import type { Client } from 'pg';
import { areOneMigration, markExisting } from '../migrations/migrate.ts';
import { largestSequenceValue, raiseSequences } from '../support/sequences.ts';
import {
  type ArchivedTable,
  findWritten,
  readSchemaVersion,
  readSequences,
  readTables,
} from './catalogue.ts';
import { checkClosedLists } from './closed-lists.ts';
import { TableFiles } from './files.ts';
import {
  type Manifest,
  Digest,
  hashOfFields,
  manifestPath,
  readManifest,
  tablesIn,
} from './manifest.ts';
import { batchSize, linesOf, plainSettings } from './rows.ts';
import type { RowListener } from './write.ts';

export interface ArchiveContents {
  readonly manifest: Manifest;
  /** Tables whose sequences were behind their ids. */
  readonly raised: readonly string[];
}

/**
 * Reads an archive into an empty store at the same migration, in one transaction: every row is as exported and every
 * reference is checked, or nothing is written. Sequences behind their ids are raised.
 * @param key the key of a sealed archive
 */
export async function readArchive(
  client: Client,
  folder: string,
  heard: RowListener,
  key?: string,
): Promise<ArchiveContents> {
  const manifest = await readManifest(folder);
  const files = new TableFiles(folder, manifest, key);
  await checkFiles(files, manifest);
  await client.query('begin');
  try {
    await client.query(plainSettings);
    const tables = await fittingTables(client, manifest, folder);
    await withoutReferences(client, tables, async () => {
      await client.query(`truncate ${namesOf(tables).join(', ')}`);
      for (const table of tables) {
        await readTable(client, table, files, manifest);
        heard(table.name, manifest.tables[table.name]?.rows ?? 0);
      }
    });
    await setSequences(client, tables, manifest);
    const raised = await raiseSequences(client);
    await markExisting(client);
    await client.query(`comment on table settings is '${noteOf(manifest)}'`);
    await client.query('commit');
    await client.query('analyze');
    return { manifest, raised };
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

async function setSequences(
  client: Client,
  tables: readonly ArchivedTable[],
  { sequences }: Manifest,
): Promise<void> {
  const own = namesOf(await readSequences(client, tables));
  for (const { name, last_value, is_called } of sequences) {
    if (!own.includes(name)) continue;
    if (Number(last_value) > largestSequenceValue)
      throw new Error(
        `The manifest gives ${last_value} as the last value of ${name}, more than any store reaches. Take another backup.`,
      );
    await client.query('select setval($1, $2, $3)', [name, last_value, is_called]);
  }
}

const noteOf = (manifest: Manifest): string => `read from the archive ${hashOfFields(manifest)}`;

/** Tells if the whole archive was read into the database by an import that has not ended. */
export async function holdsArchive(client: Client, manifest: Manifest): Promise<boolean> {
  const { rows } = await client.query<{ note: string | null }>(
    "select obj_description(to_regclass('settings'), 'pg_class') as note",
  );
  return rows[0]?.note === noteOf(manifest);
}

/** Notes that an import ended: repeated, it is refused. */
export const endArchive = (client: Client): Promise<unknown> =>
  client.query('comment on table settings is null');

/** Checks every file against the manifest, byte for byte. */
async function checkFiles(files: TableFiles, { tables }: Manifest): Promise<void> {
  for (const [name, { sha256 }] of Object.entries(tables))
    if ((await files.hashOf(name)) !== sha256)
      throw new Error(
        `${name}.ndjson differs from the export: it was changed or is incomplete. Copy the folder again, or export again.`,
      );
}

/** Returns the tables of the archive, locked so that no parallel write is lost. */
async function fittingTables(
  client: Client,
  manifest: Manifest,
  folder: string,
): Promise<ArchivedTable[]> {
  if (!areOneMigration(await readSchemaVersion(client), manifest.schema))
    throw new Error(
      'The archive is of another version than this database: read it into a new database without tables.',
    );
  const tables = await readTables(client);
  const counted = new Set(namesOf(manifest.sequences));
  const isOfThese =
    isSame(namesOf(tables), Object.keys(tablesIn(manifest).own)) &&
    namesOf(await readSequences(client, tables)).every((name) => counted.has(name));
  if (!isOfThese)
    throw new Error(
      `${manifestPath(folder)} names other tables than this version has: it was changed.`,
    );
  await client.query(`lock table ${namesOf(tables).join(', ')}`);
  await refuseWritten(client, tables);
  return tables;
}

/** @throws Error if somebody wrote into one of the tables */
export async function refuseWritten(
  client: Client,
  tables: readonly ArchivedTable[],
): Promise<void> {
  const written = await findWritten(client, tables);
  if (written === undefined) return;
  throw new Error(
    `The store in DATABASE_URL is not empty (${written}): read the archive into a new database.`,
  );
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.toSorted().join() === other.toSorted().join();

/**
 * Does work without triggers and without foreign keys to the tables: the figures that triggers keep are in the archive.
 * References are checked when the keys are restored.
 */
async function withoutReferences(
  client: Client,
  tables: readonly ArchivedTable[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: references } = await client.query<{ table: string; name: string; says: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
            pg_get_constraintdef(oid) as says
       from pg_constraint
      where contype = 'f' and conparentid = 0 and confrelid = any ($1::regclass[])`,
    [namesOf(tables)],
  );
  const triggers = (state: 'disable' | 'enable') =>
    tables.map(({ name }) => `alter table ${name} ${state} trigger user;`).join('\n');
  await client.query(triggers('disable'));
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${name}`);
  await work();
  for (const { table, name, says } of references)
    await client.query(`alter table ${table} add constraint ${name} ${says}`);
  await client.query(triggers('enable'));
}

async function readTable(
  client: Client,
  table: ArchivedTable,
  files: TableFiles,
  manifest: Manifest,
): Promise<void> {
  const { name, columns } = table;
  for await (const lines of linesIn(files.read(name))) {
    await client.query(
      `insert into ${name} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${name}, $1)`,
      [`[${lines.join()}]`],
    );
  }
  await checkClosedLists(client, table);
  const digest = new Digest();
  for await (const lines of linesOf(client, table)) digest.add(lines);
  if (digest.end().sha256 !== manifest.tables[name]?.sha256)
    throw new Error(
      `${name} differs from the export after reading: this database writes its values in another way.`,
    );
}

/** The lines of a file, in batches. Node's own line reader also splits at U+2028, which JSON may contain. */
async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[], void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (let from = 0; from < lines.length; from += batchSize)
      yield lines.slice(from, from + batchSize);
  }
}
