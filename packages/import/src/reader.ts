import type { RowSink } from './dump.ts';
import type { WantedRows } from './source.ts';

/** Hears how far a step is: in bytes of a dump's file, or in tables of a live database. */
export type Progress = (done: number, total: number) => void;

export interface ShopSink extends RowSink {
  /** The rows of a table that are wanted; undefined for all. Others may be handed over as well. */
  wantedRows(table: string): WantedRows | undefined;
}

/** Facts that were found while the rows were read. */
export interface ReadFacts {
  /** Columns asked for that their tables don't have, as `table.column`. */
  missingColumns: readonly string[];
  /** Tables that others could write to while they were read. */
  withoutSnapshot: readonly string[];
}

/** A source to read a shop from. All of its methods throw `SourceRefused`. */
export interface Reader {
  /** True if equal fingerprints mean equal rows. A live shop goes on selling. */
  readonly isFixed: boolean;
  /** The name of the staging: 32 hexadecimal digits. */
  fingerprint(prefix: string | undefined, progress: Progress): Promise<string>;
  /** The full names of all tables there are. */
  tables(progress: Progress): Promise<readonly string[]>;
  /** Hands over the rows of the tables that the sink wants. When it throws, those that were are to be given up. */
  read(sink: ShopSink, progress: Progress): Promise<ReadFacts>;
}
