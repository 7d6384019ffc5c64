import { and, eq } from 'drizzle-orm';
import type { PgColumn, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { build, guard } from './statements.ts';

/** A table whose rows count their changes. */
type Versioned = PgTable & { readonly id: PgColumn; readonly version: PgColumn };

export interface RowVersion {
  readonly id: number;
  readonly version: number;
}

/** Compared with the sum in the database, it shows if any of several rows changed. */
export const sumOfVersions = (rows: readonly Pick<RowVersion, 'version'>[]): number =>
  rows.reduce((sum, { version }) => sum + version, 0);

const isStill = (table: Versioned, { id, version }: RowVersion) =>
  and(eq(table.id, id), eq(table.version, version));

/** Writes a row's new state, or some of its columns, if the version is still that of the decision. */
export const updateRow = <T extends Versioned>(
  table: T,
  before: RowVersion,
  after: PgUpdateSetSource<T>,
) =>
  guard(
    build.update(table).set(after).where(isStill(table, before)).returning({ id: table.id }),
    'rest_conflict',
  );

/** Deletes a row if the version is still that of the decision. */
export const deleteRow = (table: Versioned, before: RowVersion) =>
  guard(
    build.delete(table).where(isStill(table, before)).returning({ id: table.id }),
    'rest_conflict',
  );

/** Locks a row until the commit, if the version is still that of the decision. */
export const holdRow = (table: Versioned, before: RowVersion) =>
  guard(
    build.select({ id: table.id }).from(table).where(isStill(table, before)).for('no key update'),
    'rest_conflict',
  );
