import { join } from 'node:path';
import type { Client } from 'pg';
import type { Comparison } from './comparison.ts';
import { load } from './load.ts';
import type { Importer, Debt, Preflight } from './importer.ts';
import { writeOwed, writeReport } from './report.ts';
import type { Source } from './source.ts';
import type { Staging } from './staging.ts';
import { verify } from './verify.ts';

export interface MoveResult {
  readonly comparisons: readonly Comparison[];
  readonly owed: readonly Debt[];
}

/** Receives a step's progress, in rows unless a unit is named. */
export type ProgressListener = (step: string, done: number, total: number, unit?: string) => void;

/**
 * Loads the staged rows into a migrated store, or continues loading, compares both sides, and writes `report.csv` and
 * `owed.csv` into the folder.
 */
export async function move<S extends Source, C>(
  client: Client,
  importer: Importer<S, C>,
  staging: Staging<S>,
  preflight: Preflight<C>,
  {
    folder,
    progress,
    waiting,
  }: { folder: string; progress: ProgressListener; waiting: () => void },
): Promise<MoveResult> {
  const { plan } = preflight;
  await load(client, importer, staging, preflight, {
    progress: (entity, done, total) => progress(`Write ${entity}`, done, total),
    waiting,
  });
  const owed = [...importer.owed(staging, plan)];
  await writeReport(staging, join(folder, 'report.csv'));
  await writeOwed(owed, join(folder, 'owed.csv'));
  const comparisons = await verify(client, importer, staging, plan, (done, total) =>
    progress('Compare', done, total, 'tables'),
  );
  return { comparisons, owed };
}
