import { sql } from 'drizzle-orm';
import { bigint, check, customType, text, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { type Shape, completed } from '../../lib/documents.ts';
import { type Instant, instantFromDatabase } from '../../lib/instant.ts';

/** A moment, read and written as RFC 3339 UTC text. */
export const instant = customType<{ data: Instant; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  fromDriver: instantFromDatabase,
});

/** A 64-bit integer kept below 2^53: ids, counts. */
export const integer = () => bigint({ mode: 'number' });

export const reference = (
  column: () => AnyPgColumn,
  actions?: { readonly onDelete: 'cascade' | 'set null' },
) => integer().notNull().references(column, actions);

/** The condition of a partial index on rows that are not deleted. */
export const live = (table: { readonly deleted_at: AnyPgColumn }) =>
  sql`${table.deleted_at} is null`;

/** An amount in the currency's smallest unit. */
export const money = () => integer().notNull().default(0);

/** An identity column; its sequence is `<table>_id_seq`. */
export const id = () => integer().primaryKey().generatedByDefaultAsIdentity();

/** A JSON document of a known shape. The shape gives defaults for members that a stored document lacks. */
export const document = <T>(shape?: Shape<T>) =>
  customType<{ data: T; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (stored) => {
      const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
      return (shape === undefined ? value : completed(value, shape)) as T;
    },
  })();

/** Text limited to the values of one const array; pair it with `oneOf` in the table's constraints. */
export const choice = <U extends string, T extends Readonly<[U, ...U[]]>>(values: T) =>
  text({ enum: values });

export const listed = (values: readonly string[]) => values.map((v) => `'${v}'`).join(', ');

export const oneOf = (name: string, column: AnyPgColumn, values: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(listed(values))})`);

export const changes = {
  created_at: instant().notNull(),
  updated_at: instant().notNull(),
  version: integer().notNull().default(1),
};
