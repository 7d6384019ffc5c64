import type { RowSink } from './dump.ts';
import type { WantedRows } from './source.ts';

/** Receives a step's progress: in bytes of a dump's file, or in tables of a live database. */
export type Progress = (done: number, total: number) => void;

export interface ShopSink extends RowSink {
  /** The wanted rows of a table; undefined for all. Others may be passed on as well. */
  wantedRows(table: string): WantedRows | undefined;
}

export interface ReadFacts {
  /** Requested columns that their tables lack, as `table.column`. */
  missingColumns: readonly string[];
  /** Tables that could change while they were read. */
  withoutSnapshot: readonly string[];
}

/** A source to read a shop from. All of its methods throw `SourceRefused`. */
export interface Reader {
  /** True if equal fingerprints mean equal rows. A live shop goes on selling. */
  readonly isFixed: boolean;
  /** Returns 32 hexadecimal digits, the name of the staging folder. */
  fingerprint(prefix: string | undefined, progress: Progress): Promise<string>;
  tables(progress: Progress): Promise<readonly string[]>;
  /** Passes on the rows of the tables that the sink wants. If it throws, the rows so far are invalid. */
  read(sink: ShopSink, progress: Progress): Promise<ReadFacts>;
}
