import { createHash, randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SourceRefused } from './errors.ts';
import { tableNames, tablePrefix } from './prefix.ts';
import type { Progress, ReadFacts, Reader } from './reader.ts';
import type { Source, StagedRow, TableName } from './source.ts';
import { StagedTable, identifier } from './staged-table.ts';
import { idOf } from './values.ts';

/** The outcomes of a row of the source. Each row has one, so that they sum to the source's count. */
export const outcomes = [
  'imported',
  'changed',
  'placeholder',
  'split',
  'left-out',
  'refused',
] as const;

/** A row of the import's report. */
export interface EntityRow {
  entity: string;
  /** Its id in the source. */
  id: string;
  outcome: (typeof outcomes)[number];
  /** Its ids in the store, separated by spaces. */
  targetId?: string | undefined;
  /** Codes of `reasons`, separated by spaces. */
  reason?: string | undefined;
  /** Details of the reason: ids and codes, no names or addresses. */
  detail?: string | undefined;
}

export interface StagingFacts extends ReadFacts {
  prefix: string;
  /** All tables in the dump or database, by their full names. */
  dumpTables: readonly string[];
  /** The number of staged rows, by table. */
  rows: Readonly<Record<string, number>>;
  /** The number of repaired values by table (U+FFFD for NUL or undecodable bytes); tables without any are left out. */
  repairs: Readonly<Record<string, number>>;
}

export type Step = 'fingerprint' | 'tables' | 'rows';

export interface StagingOptions {
  /** The folder with one folder for each dump or database. */
  folder: string;
  /** The table prefix, if there are several shops. */
  prefix?: string | undefined;
  progress?: (step: Step, done: number, total: number) => void;
  /**
   * Tells if an import with this fingerprint has begun. Only then is the staging of a live shop reused: the shop may
   * have sold more since.
   */
  hasBegun?: (fingerprint: string) => boolean;
}

/** The staged part of a shop, in an SQLite file: a table for each of the source's, and the report. */
export class Staging<S extends Source> implements Disposable {
  /** Identifies an import of these rows: another reading of a live shop has another one. */
  readonly fingerprint: string;
  readonly folder: string;
  readonly facts: StagingFacts;
  /**
   * Columns are text, and compare as such: cast them. Read ids with `id_of`, which is null for a text that is no id: a
   * cast turns any text into a number.
   */
  readonly database: DatabaseSync;
  readonly #source: S;

  get tables(): Source['tables'] {
    return this.#source.tables;
  }

  constructor(
    source: S,
    folder: string,
    { fingerprint, facts }: StagingRecord,
    database: DatabaseSync,
  ) {
    this.#source = source;
    this.folder = folder;
    this.fingerprint = fingerprint;
    this.facts = facts;
    this.database = database;
    // As an SQLite integer: a JavaScript number would become a float.
    database.function('id_of', { deterministic: true }, (text) => {
      const id = idOf(text === null ? null : String(text));
      return id === null ? null : BigInt(id);
    });
  }

  /** Returns the rows of a table in the order in which they were read. */
  rows<T extends TableName<S>>(table: T): IterableIterator<StagedRow<S, T>> {
    const columns = this.#source.tables[table]?.columns ?? [];
    const rows = this.database
      .prepare(`select ${columns.map(identifier).join()} from ${identifier(table)} order by rowid`)
      .iterate();
    return rows as IterableIterator<StagedRow<S, T>>;
  }

  /**
   * Writes rows of the report, all or none, in place of present ones.
   * @param keepsRefused true to keep the present rows that the database refused
   */
  record(rows: readonly EntityRow[], keepsRefused = false): void {
    const insert = this.database.prepare(
      `insert into entity_row values (?,?,?,?,?,?)
           on conflict (entity, id) do update
              set (outcome, target_id, reason, detail)
                = (excluded.outcome, excluded.target_id, excluded.reason, excluded.detail)
            where not ? or entity_row.reason is not 'refused-by-database'`,
    );
    this.database.exec('begin');
    try {
      for (const { entity, id, outcome, targetId, reason, detail } of rows)
        insert.run(
          ...[entity, id, outcome, targetId ?? null, reason ?? null, detail ?? null],
          Number(keepsRefused),
        );
      this.database.exec('commit');
    } catch (error) {
      this.database.exec('rollback');
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}

/**
 * Stages the reader's rows in `folder/<fingerprint>/<source>.db`, or opens an earlier staging. An interrupted staging
 * leaves nothing, and starts over.
 * @throws SourceRefused
 */
export async function stage<S extends Source>(
  source: S,
  reader: Reader,
  { folder, prefix, progress, hasBegun }: StagingOptions,
): Promise<Staging<S>> {
  const hear: Hear = (step) => (done, total) => progress?.(step, done, total);
  const print = await reader.fingerprint(prefix, hear('fingerprint'));
  const place = join(folder, print);
  const database = openFile(place, `${source.name}.db`);
  try {
    begin(database);
    const declared = declaration(source, prefix);
    let known = staged(database, declared);
    if (!known || !(reader.isFixed || hasBegun?.(known.fingerprint))) {
      const facts = await fill(database, source, reader, prefix, hear);
      known = { fingerprint: reader.isFixed ? print : unique(print), facts };
      database
        .prepare('insert or replace into about values (1, ?, ?)')
        .run(declared, JSON.stringify(known));
    }
    database.exec('commit');
    return new Staging(source, place, known, database);
  } catch (error) {
    // Closing rolls back an open transaction.
    database.close();
    throw error;
  }
}

/** A fingerprint that no other reading has. */
const unique = (print: string): string =>
  createHash('sha256').update(`${print} ${randomUUID()}`).digest('hex').slice(0, 32);

/** Readable only by this user: it has personal data of the shop. */
function openFile(folder: string, name: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  closeSync(openSync(path, 'a', 0o600));
  return new DatabaseSync(path);
}

const BUSY = 5;

function begin(database: DatabaseSync): void {
  try {
    database.exec('begin exclusive');
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    throw new SourceRefused('busy', 'Another import of this file is running: wait until it ends');
  }
}

/** Must be raised if code stages the same declaration in another way. */
const VERSION = 3;

const declaration = (source: Source, prefix: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, source, prefix ?? null]))
    .digest('hex');

/** The record of a staging, in its table `about`. */
interface StagingRecord {
  readonly fingerprint: string;
  readonly facts: StagingFacts;
}

/** Returns the record of a staging under the same declaration. */
function staged(database: DatabaseSync, declared: string): StagingRecord | undefined {
  database.exec(
    'create table if not exists about (id integer primary key, declaration text, facts text) strict',
  );
  const about = database.prepare('select facts from about where declaration = ?').get(declared);
  return about && (JSON.parse(String(about['facts'])) as StagingRecord);
}

type Hear = (step: Step) => Progress;

async function fill(
  database: DatabaseSync,
  source: Source,
  reader: Reader,
  prefixGiven: string | undefined,
  hear: Hear,
): Promise<StagingFacts> {
  const dumpTables = await reader.tables(hear('tables'));
  const prefix = tablePrefix(source, dumpTables, prefixGiven);
  const names = tableNames(source, prefix, dumpTables);
  empty(database);
  const tables = Object.entries(source.tables).map(([name, declared]) => {
    return new StagedTable(database, name, declared, prefix);
  });
  const byName = new Map(tables.map((table) => [names.get(table.name), table]));
  const readFacts = await reader.read(
    {
      columnsOf: (name) => byName.get(name)?.columns,
      wantedRows: (name) => byName.get(name)?.wanted,
      row: (name, values, repairs) => byName.get(name)?.add(values, repairs),
    },
    hear('rows'),
  );
  for (const table of tables) table.finish();
  return {
    prefix,
    dumpTables,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    repairs: Object.fromEntries(
      tables.filter(({ repairs }) => repairs > 0).map(({ name, repairs }) => [name, repairs]),
    ),
    ...readFacts,
  };
}

/** Deletes the tables that another declaration staged, and creates the report. */
function empty(database: DatabaseSync): void {
  const others = database
    .prepare("select name from sqlite_schema where type = 'table' and name <> 'about'")
    .all();
  for (const { name } of others) database.exec(`drop table ${identifier(String(name))}`);
  database.exec(`create table entity_row (
    entity text not null,
    id text not null,
    outcome text not null check (outcome in (${outcomes.map((outcome) => `'${outcome}'`).join()})),
    target_id text,
    reason text,
    detail text,
    primary key (entity, id)
  ) strict, without rowid`);
}
