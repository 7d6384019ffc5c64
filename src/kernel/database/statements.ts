import { SQL, type SQLWrapper, is, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type NeonHttpQueryResultHKT, NeonHttpSession } from 'drizzle-orm/neon-http/session';
import { PgDatabase, PgDialect } from 'drizzle-orm/pg-core';

/** A built statement, which only a unit of work sends. */
export type Statement = BatchItem<'pg'>;

/** A value of a statement: a constant, or SQL such as a parameter of a prepared trip. */
export type Argument<T> = T | SQL;

export const isGiven = (value: unknown): boolean | SQL =>
  is(value, SQL) ? sql`${value} is not null` : value !== null && value !== undefined;

export const instantOf = (moment: Argument<Date>): string | SQL =>
  moment instanceof Date ? moment.toISOString() : moment;

/** Statements by name, also in nested groups, and the rows of each. */
export interface Statements {
  readonly [name: string]: Statement | Statements;
}
export type Results<S extends Statements> = { [K in keyof S]: Result<S[K]> };

export type Result<T extends Statement | Statements> = T extends Statement
  ? Rows<T>
  : T extends Statements
    ? Results<T>
    : never;

/** The rows of a statement. A row with a `$record` column is replaced by that record. */
export type Rows<S extends Statement> = S['_']['result'] extends { $record: infer T }[]
  ? T[]
  : S['_']['result'];

export const recordsOf = (result: unknown): unknown =>
  Array.isArray(result) && result.length > 0 && '$record' in (result[0] as object)
    ? result.map((row: { $record: unknown }) => row.$record)
    : result;

/** The result of a statement that isn't sent. Both kinds of results have no rows. */
export const noRows = Object.assign([], { rows: [] });

const nothing = Symbol('nothing');

/** A placeholder for a statement that could find nothing. It is never sent, and returns no rows. */
export const unsent = <S extends Statement>(_make: (...parameters: never[]) => S): S =>
  nothing as never;

const conditions = new WeakMap<object, SQL>();

/**
 * Makes a statement that is sent only if it can find something. In a prepared trip, the condition is SQL that the
 * database evaluates.
 */
export function sendIf<S extends Statement>(canFind: boolean | SQL, make: () => S): S {
  if (typeof canFind === 'boolean') return canFind ? make() : unsent(make);
  const statement = make();
  conditions.set(statement, canFind);
  return statement;
}

export const conditionOf = (statement: Statement): SQL | undefined => conditions.get(statement);

const isStatement = (item: Statement | Statements): item is Statement =>
  typeof item === 'symbol' || Object.getPrototypeOf(item) !== Object.prototype;

/** The statements to send, from all groups in order. */
export const sentOf = (statements: Statements): Statement[] =>
  Object.values(statements).flatMap((item) => {
    if (!isStatement(item)) return sentOf(item);
    return (item as unknown) === nothing ? [] : [item];
  });

/** Gives results of `sentOf` the names of their statements. */
export function named<S extends Statements>(
  statements: S,
  results: readonly unknown[],
): Results<S> {
  const remaining = results.values();
  const take = (group: Statements): object =>
    Object.fromEntries(
      Object.entries(group).map(([name, item]) => {
        if (!isStatement(item)) return [name, take(item)];
        return [name, (item as unknown) === nothing ? noRows : remaining.next().value];
      }),
    );
  return take(statements) as Results<S>;
}

const dialect = new PgDialect();

/**
 * Sends statements through a client as one batch. The type demands the driver's own client; our client has all members
 * that are used.
 */
export const sessionOf = (client: object) =>
  new NeonHttpSession(client as never, dialect, undefined);

const refuseToSend = () => {
  throw new Error('A statement is sent by the unit of work of a request, never by itself.');
};

/** Builds statements. Awaiting one throws, so that no query runs outside an authorised unit of work. */
export const build = new PgDatabase<NeonHttpQueryResultHKT>(
  dialect,
  sessionOf({ query: refuseToSend }),
  undefined,
);

/** Makes a statement from raw SQL with rows of type `T`. */
export const raw = <T extends Record<string, unknown>>(query: SQL) => build.execute<T>(query);

/** A write that must change a row. Otherwise everything is rolled back with the error `code`. */
export interface Guard<C extends string = string> {
  readonly statement: Statement;
  /** For the compiler only: the endpoint must declare the code. */
  readonly code: C;
}

/** A statement of a write; `C` are the error codes of its guards. */
export type Write<C extends string = never> = Statement | Guard<C | 'rest_conflict'>;

/**
 * Makes a write depend on `change`, an UPDATE, DELETE or INSERT … RETURNING that finds no row if the state has changed
 * since the decision.
 * @param code the error for this case; `rest_conflict` has the request decided again first
 */
export function guard<C extends string>(change: SQLWrapper, code: C): Guard<C> {
  return {
    code,
    statement: raw(
      sql`with changed as (${change.getSQL()}) select svc_guard(exists (select from changed), ${code})`,
    ),
  };
}

/** The id that a `select nextval(…) as id` statement drew. */
export function nextId(drawn: { rows: { id: string }[] }): number {
  const [row] = drawn.rows;
  if (!row) throw new Error('The sequence answered no id.');
  return Number(row.id);
}

/** Draws the id of a record about to be written from its table's sequence. */
export const drawId = (table: string) =>
  raw<{ id: string }>(sql`select nextval(${`${table}_id_seq`}) as id`);

/** Locks a name until the commit. A separate statement, so that later statements see earlier commits. */
export const lockName = (name: string) => raw(sql`select pg_advisory_xact_lock(hashtext(${name}))`);

/** Like `lockName`, for a name that contains a value. */
export const lockValue = (name: string) =>
  raw(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
