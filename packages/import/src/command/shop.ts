import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { relative } from 'node:path';
import type { BegunImport } from '../begun.ts';
import { dumpFile } from '../dump-file.ts';
import { liveDatabase } from '../live.ts';
import type { Answers, Importer, Preflight } from '../importer.ts';
import { type MoveResult, move } from '../move.ts';
import { absentTables } from '../prefix.ts';
import { frequentReasons, outcomesOf } from '../report.ts';
import type { Source } from '../source.ts';
import { type Staging, stage } from '../staging.ts';
import {
  checkIntegrity,
  migrateDatabase,
  directDatabase,
  withDatabase,
  clearKilledRehearsals,
  withTarget,
} from '../../../../src/exports/database.ts';
import {
  localPath,
  openFolder,
  Progress,
  UsageError,
  table,
} from '../../../../src/exports/command.ts';
import { importsBegunIn } from './begun.ts';
import { type Faults, comparisonTable, endOf, outcomeTable } from './shown.ts';

export interface ShopOptions {
  /** A dump; without one SOURCE_URL is read. */
  readonly path: string | undefined;
  readonly prefix: string | undefined;
  /** True to write into DATABASE_URL; otherwise it is a rehearsal. */
  readonly isWritten: boolean;
  /** True if money without a place in the store counts as settled. Otherwise the command ends with 3. */
  readonly acceptsOwed: boolean;
  readonly answers: Answers;
}

const importFolder = () => localPath('import');

/**
 * Imports a shop, or rehearses it.
 * @returns the exit code: 0 all right, 1 differences or questions, 2 refused rows, 3 money without a place
 */
export async function importShop<S extends Source, C>(
  importer: Importer<S, C>,
  options: ShopOptions,
): Promise<number> {
  const progress = new Progress();
  // Checked before reading, which may take minutes.
  const begun = options.isWritten
    ? await importsBegunIn(directDatabase(process.env['DATABASE_URL']))
    : new Map<string, BegunImport>();
  using staging = await staged(importer.source, options, begun, progress);
  const former = begun.get(staging.fingerprint);
  if (begun.size > 0 && !former)
    throw new Error(
      'The store in DATABASE_URL was imported from another dump. Import a shop into a new database.',
    );
  // A repeat follows the former answers: `load` refuses others.
  const preflight = importer.plan(staging, { ...former?.answers, ...options.answers });
  if (!answered(preflight)) return 1;
  if (!options.isWritten)
    console.log(
      'A rehearsal: rows are written only to a temporary PostgreSQL, which is deleted at the end.',
    );
  const { moved, faults } = await withTarget(options.isWritten, (url) =>
    moveInto(url, importer, staging, preflight, progress),
  );
  return concluded(staging, moved, faults, options);
}

/**
 * Deletes a shop's staged data and reports.
 * @throws Error if nothing is staged here
 */
export async function forgetShop(source: Source, options: ShopOptions): Promise<void> {
  const print = await readerOf(options).fingerprint(options.prefix, () => undefined);
  const folder = `${importFolder()}/${print}`;
  if (!existsSync(folder))
    throw new Error(
      `No dump of this shop is staged here. Name the dump as it was imported, or SOURCE_URL and --prefix. All staged shops are in ${relative(process.cwd(), importFolder())}.`,
    );
  await rm(folder, { recursive: true });
  await clearKilledRehearsals();
  console.log(`The staged data and reports of this ${source.name} shop are deleted.`);
}

function readerOf({ path }: ShopOptions) {
  const url = process.env['SOURCE_URL'];
  if (path !== undefined) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) throw new UsageError(`There is no file ${path}.`);
    if (found.isDirectory())
      throw new UsageError(`${path} is a folder: name the dump in it (shop.sql or shop.sql.gz).`);
    return dumpFile(path);
  }
  if (url) return liveDatabase(url);
  throw new UsageError(
    'Name a dump of the shop’s database (shop.sql or shop.sql.gz), or set SOURCE_URL to mysql://user:password@host:3306/database.',
  );
}

async function staged<S extends Source>(
  source: S,
  options: ShopOptions,
  begun: ReadonlyMap<string, BegunImport>,
  progress: Progress,
): Promise<Staging<S>> {
  await openFolder(localPath());
  await openFolder(importFolder());
  const steps = { fingerprint: 'Recognise', tables: 'Look through', rows: 'Read' } as const;
  const unit = options.path === undefined ? 'tables' : 'bytes';
  const staging = await stage(source, readerOf(options), {
    folder: importFolder(),
    prefix: options.prefix,
    hasBegun: (fingerprint) => begun.has(fingerprint),
    progress: (step, done, total) => progress.at(steps[step], done, total, unit),
  });
  progress.end();
  const { facts } = staging;
  const rows = Object.entries(facts.rows).filter(([, count]) => count > 0);
  console.log(table(rows.map(([name, count]) => ({ table: facts.prefix + name, rows: count }))));
  const absent = absentTables(source, facts.prefix, facts.dumpTables);
  if (absent.length > 0)
    console.log(
      `The dump lacks ${absent.join(', ')}. If the shop has any of these tables, dump them too.`,
    );
  for (const [name, count] of Object.entries(facts.repairs))
    console.log(`${facts.prefix}${name}: ${count} values had bytes that are not text.`);
  if (facts.withoutSnapshot.length > 0)
    console.log(
      `Others could write to ${facts.withoutSnapshot.join(', ')} while they were read: freeze the shop for the last import.`,
    );
  return staging;
}

/**
 * Prints findings and questions.
 * @returns true if there are no questions
 */
function answered({ notes, questions }: Preflight<unknown>): boolean {
  for (const note of notes) console.log(`· ${note}`);
  for (const { text, option } of questions) console.error(`? ${text}\n  Say it with ${option}`);
  return questions.length === 0;
}

async function moveInto<S extends Source, C>(
  url: string,
  importer: Importer<S, C>,
  staging: Staging<S>,
  preflight: Preflight<C>,
  progress: Progress,
): Promise<{ moved: MoveResult; faults: Faults }> {
  await migrateDatabase(url);
  return withDatabase(url, async (client) => {
    const moved = await move(client, importer, staging, preflight, {
      folder: staging.folder,
      progress: (step, done, total, unit) => progress.at(step, done, total, unit),
      waiting: () => console.log('Another import into this database runs. Waiting for its end.'),
    });
    progress.end();
    const checks = await checkIntegrity(client);
    return { moved, faults: checks.filter(({ differences }) => differences > 0) };
  });
}

function concluded(
  staging: Staging<Source>,
  { comparisons, owed }: MoveResult,
  faults: Faults,
  { isWritten, acceptsOwed }: ShopOptions,
): number {
  const outcomes = outcomesOf(staging);
  console.log(`\nThe outcome of the shop's rows:\n${outcomeTable(outcomes)}`);
  const reasons = frequentReasons(staging);
  if (reasons.length > 0)
    console.log(`\nWhy, most frequent first:\n${table(reasons.map((row) => ({ ...row })))}`);
  console.log(
    `\nBoth sides, row by row (amounts in the currency's smallest unit):\n${comparisonTable(comparisons)}`,
  );
  if (faults.length > 0) console.log(`\nThe store's own checks find:\n${table(faults)}`);
  const end = endOf({ outcomes, comparisons, faults, owed: acceptsOwed ? [] : owed });
  console.log(`\n${end.says.join('\n')}`);
  const shown = relative(process.cwd(), staging.folder);
  console.log(`Row by row: ${shown}/report.csv`);
  if (owed.length > 0) console.log(`Money without a place: ${shown}/owed.csv`);
  if (!isWritten) console.log('Run it with --write and DATABASE_URL to move in.');
  return end.code;
}
