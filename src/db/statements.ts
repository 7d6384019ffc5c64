import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/neon-http';

/** A statement that has been built and not sent; only a unit of work sends it. */
export type Statement = BatchItem<'pg'>;

/** A set of statements by name, and the rows each of them answers with. */
export type Statements = Readonly<Record<string, Statement>>;
export type Results<S extends Statements> = { [K in keyof S]: S[K]['_']['result'] };

const refuseToSend = () => {
  throw new Error('A statement is sent by the unit of work of a request, never by itself.');
};

/**
 * Builds statements. It has no connection: awaiting what it builds throws, so that no query can run
 * outside an authorised unit of work.
 */
export const build = drizzle({
  client: Object.assign(refuseToSend, { query: refuseToSend }) as never,
});

/** A statement from raw SQL that answers with the rows of type `T`. */
export const raw = <T extends Record<string, unknown>>(query: SQL) => build.execute<T>(query);

/** A write that must change a row, else the whole batch is undone with the error `code`. */
export interface Guard<C extends string = string> {
  readonly statement: Statement;
  /** Carried for the compiler only: the code has to be declared by the endpoint. */
  readonly code: C;
}

/** A statement of a write batch; `C` are the codes its guards can end it with. */
export type Write<C extends string = never> = Statement | Guard<C | 'rest_conflict'>;

/**
 * Makes a batch depend on `change`, an UPDATE, DELETE or INSERT … RETURNING that finds no row when
 * the state is no longer what the decision was based on.
 * @param code what to answer then; `rest_conflict` has the request decided again first.
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
