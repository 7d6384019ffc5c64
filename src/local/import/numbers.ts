import { type PgTable, getTableConfig } from 'drizzle-orm/pg-core';
import type { Numbers } from './mapped.ts';
import { largestMention } from './mentions.ts';

/** Ids for rows without one in the source, counted table by table as the mappers go along. */
export class CountedNumbers implements Numbers {
  readonly #highest = new Map<string, number>();

  next(table: PgTable): number {
    const { name } = getTableConfig(table);
    const id = (this.#highest.get(name) ?? 0) + 1;
    this.#highest.set(name, id);
    return id;
  }

  above(table: PgTable, id: number): void {
    if (!(id <= largestMention)) return;
    const { name } = getTableConfig(table);
    this.#highest.set(name, Math.max(id, this.#highest.get(name) ?? 0));
  }

  /** The highest id of each table that was given out or mentioned, by the table's name. */
  get highest(): ReadonlyMap<string, number> {
    return this.#highest;
  }
}
