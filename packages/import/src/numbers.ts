import { type PgTable, getTableConfig } from 'drizzle-orm/pg-core';
import { largestCountedId } from '../../../src/exports/store.ts';

/** Ids for rows that have none in the source: the same in each run, however often it was interrupted. */
export class Numbers {
  readonly #highest = new Map<string, number>();

  /** The next id of a table, from 1 on, or above the last value given to `above`. */
  next(table: PgTable): number {
    const { name } = getTableConfig(table);
    const id = (this.#highest.get(name) ?? 0) + 1;
    this.#highest.set(name, id);
    return id;
  }

  /** Marks ids of a table up to this one as taken: the source has or mentions them. */
  above(table: PgTable, id: number): void {
    if (!(id <= largestCountedId)) return;
    const { name } = getTableConfig(table);
    this.#highest.set(name, Math.max(id, this.#highest.get(name) ?? 0));
  }

  /** The highest given or mentioned id of each table, by the table's name. */
  get highest(): ReadonlyMap<string, number> {
    return this.#highest;
  }
}
