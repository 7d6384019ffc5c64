import type { Client } from 'pg';
import type { Compared } from './compared.ts';
import type { Entity } from './mapped.ts';
import { type Reason, reasons } from './reasons.ts';
import type { Source } from './source.ts';
import { identifier } from './staged-table.ts';
import type { Staging } from './staging.ts';

export interface Comparison {
  readonly entity: Entity | 'access';
  /** The numbers of rows in the source and in the store. */
  readonly source: number;
  readonly ours: number;
  readonly sums: Readonly<Record<string, { readonly source: bigint; readonly ours: bigint }>>;
  /** Rows of the source whose difference has a reason in the report. */
  readonly explained: number;
  /** Rows of the source with an unexplained difference, and rows of the store without a source. */
  readonly unexplained: number;
  /** The rows of the store without a source, which are unexplained. */
  readonly own: number;
  /** The first unexplained rows, with the columns that differ: `12 amount status`. */
  readonly examples: readonly string[];
}

/** The number of examples shown of an entity. */
export const shown = 5;

/**
 * Tells if a row's report explains its difference.
 * @param columns the columns that differ; empty if the row isn't in the store
 */
export function isExplained(
  outcome: string | null,
  reason: string | null,
  columns: readonly string[],
): boolean {
  if (columns.length === 0) return outcome === 'left-out' || outcome === 'refused';
  const codes = (reason ?? '').split(' ').filter((code): code is Reason => code in reasons);
  const mayDiffer = new Set(codes.flatMap((code) => changesOf(code)));
  return columns.every((name) => mayDiffer.has(name));
}

function changesOf(code: Reason): readonly string[] {
  const reason = reasons[code];
  return 'changes' in reason ? reason.changes : [];
}

/** The number of rows read from the store at a time. */
const chunk = 5000;

/** Copies the store's rows into the staging file, as the table `ours`. */
export async function readOurs(
  client: Client,
  { database }: Staging<Source>,
  { columns, sums, ours }: Compared,
): Promise<void> {
  const shape = [
    'id integer primary key',
    ...columns.map((name) => `${identifier(name)} text`),
    ...sums.map((name) => `${identifier(name)} integer`),
  ];
  database.exec('drop table if exists temp.ours');
  database.exec(`create temp table ours (${shape.join()})`);
  const insert = database.prepare(`insert into ours values (?${',?'.repeat(shape.length - 1)})`);
  await client.query(`declare ours cursor for select * from (${ours}) o`);
  for (;;) {
    const { rows } = await client.query<Record<string, string | number | null>>(
      `fetch ${chunk} from ours`,
    );
    if (rows.length === 0) break;
    database.exec('begin');
    for (const row of rows)
      insert.run(
        Number(row['id']),
        ...columns.map((name) => (row[name] === null ? null : String(row[name]))),
        ...sums.map((name) => BigInt(String(row[name] ?? 0))),
      );
    database.exec('commit');
  }
  await client.query('close ours');
}
