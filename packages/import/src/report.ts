import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '../../../src/exports/store.ts';
import type { Debt } from './importer.ts';
import { type Reason, reasons } from './reasons.ts';
import type { Source } from './source.ts';
import { type Staging, outcomes } from './staging.ts';

export type Outcomes = { readonly entity: string } & Readonly<
  Record<(typeof outcomes)[number], number>
>;

export interface Frequent {
  readonly entity: string;
  readonly reason: string;
  readonly rows: number;
  readonly says: string;
}

/** Writes the outcome of each row of the source: ids and codes, without personal data. */
export async function writeReport({ database }: Staging<Source>, path: string): Promise<void> {
  const rows = database
    .prepare(
      `select entity, id, target_id, outcome, reason, detail from entity_row
        order by entity, cast(id as integer), id`,
    )
    .iterate();
  function* lines() {
    yield csvLine(['entity', 'source_id', 'our_id', 'outcome', 'reason', 'detail']);
    for (const row of rows) yield csvLine(Object.values(row));
  }
  await write(path, lines());
}

export async function writeOwed(owed: readonly Debt[], path: string): Promise<void> {
  function* lines() {
    yield csvLine(['user_id', 'kind', 'amount_in_smallest_unit', 'currency']);
    for (const { userId, kind, amount, currency } of owed)
      yield csvLine([userId, kind, amount, currency]);
  }
  await write(path, lines());
}

const write = (path: string, lines: Iterable<string>) =>
  pipeline(Readable.from(lines), createWriteStream(path, { mode: 0o600 }));

export function outcomesOf({ database }: Staging<Source>): Outcomes[] {
  const counted = outcomes.map(
    (outcome) => `count(*) filter (where outcome = '${outcome}') as "${outcome}"`,
  );
  return database
    .prepare(`select entity, ${counted.join()} from entity_row group by 1 order by 1`)
    .all() as unknown as Outcomes[];
}

/** The most frequent reasons, first those of rows that aren't in the store. */
export function frequentReasons({ database }: Staging<Source>, most = 10): Frequent[] {
  return database
    .prepare(
      `select entity, j.value as reason, count(*) as rows
         from entity_row,
              json_each('["' || replace(reason, ' ', '","') || '"]') j
        where reason is not null
        group by 1, 2
        order by min(outcome in ('refused', 'left-out')) desc, 3 desc limit ?`,
    )
    .all(most)
    .map((row) => ({
      entity: String(row['entity']),
      reason: String(row['reason']),
      rows: Number(row['rows']),
      says: reasons[row['reason'] as Reason].says,
    }));
}
