import { readDump } from '../../packages/import/src/dump.ts';
import type { DumpFacts, Value } from '../../packages/import/src/dump.ts';

export interface Read extends DumpFacts {
  rows: { table: string; values: readonly Value[] }[];
  /** The number of values with invalid text. */
  repairs: number;
}

/** Splits bytes into chunks of these sizes, repeatedly. */
export async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const end = at + (sizes[turn % sizes.length] ?? bytes.length);
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Reads these columns of these tables from a dump. */
export async function read(
  dump: string | Buffer,
  wanted: Readonly<Record<string, readonly string[]>>,
  sizes: readonly number[] = [65_536],
): Promise<Read> {
  const rows: Read['rows'] = [];
  let repairs = 0;
  const facts = await readDump(inChunks(Buffer.from(dump), sizes), {
    columnsOf: (table) => wanted[table],
    row(table, values, repaired) {
      rows.push({ table, values });
      repairs += repaired;
    },
  });
  return { ...facts, rows, repairs };
}
