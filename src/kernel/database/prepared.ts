import { SQL, type SQLWrapper, is, noopDecoder, sql } from 'drizzle-orm';
import type { PreparedQuery } from 'drizzle-orm/session';
import { PgBoolean, PgDialect, type PgSelect } from 'drizzle-orm/pg-core';
import { PgRaw } from 'drizzle-orm/pg-core/query-builders/raw';
import { compositeFields } from '../../lib/composite.ts';
import { type StoredAnswer, findStoredAnswer } from './stored-answer.ts';
import {
  type Results,
  type Statement,
  type Statements,
  conditionOf,
  named,
  raw,
  recordsOf,
  sentOf,
} from './statements.ts';
import {
  type PartRow,
  type StoredFunction,
  answerFailure,
  authorise,
  parts,
  storedFunction,
} from './stored-function.ts';

interface Types {
  bigint: number;
  text: string;
  boolean: boolean;
  /** RFC 3339. */
  timestamptz: string;
  'bigint[]': readonly number[];
  'text[]': readonly string[];
}

/** If the type ends in `?`, the value may be null. */
export type ParameterType = keyof Types | `${keyof Types}?`;

export type Parameters = Readonly<Record<string, ParameterType>>;

type Value<T> = T extends `${infer U extends keyof Types}?`
  ? Types[U] | null | undefined
  : T extends keyof Types
    ? Types[T]
    : never;

export type Values<P extends Parameters> = { readonly [K in keyof P]: Value<P[K]> };

/** Parameters as SQL, for the statements of a function. */
export type Bound<P extends Parameters> = {
  readonly [K in keyof P]: SQL<NonNullable<Value<P[K]>>>;
};

interface Part {
  /** The text after SELECT in the function; it returns each row as one text. */
  readonly text: string;
  readonly condition: string | undefined;
  readonly read: (rows: readonly string[]) => unknown;
}

/**
 * The plan is made once for all values. It must suit a buyer with a thousand times the usual orders: rows come from an
 * index in its order and end at the limit, and are not collected and sorted.
 */
const planning = 'SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off';

const dialect = new PgDialect();

/** Inlines values: only the function's parameters still vary. */
function inlined(query: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return text.replaceAll(/\$(\d+)/g, (_, number) => literal(params[Number(number) - 1]));
}

function literal(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  if (Array.isArray(value)) {
    const text = `{${value.map((one) => JSON.stringify(one)).join()}}`;
    // PostgreSQL reads JSON's escapes as other characters.
    if (!text.includes('\\')) return literal(text);
  }
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new Error('A prepared statement has a value that is not a literal of SQL.');
}

/** Drizzle's type of a batch's statement lacks `getSQL`, which every built statement has. */
const textOf = (statement: Statement): string =>
  inlined((statement as unknown as SQLWrapper).getSQL());

interface Trip<S extends Statements> {
  /** The function that authorises the caller and then runs the statements. */
  function(): Promise<StoredFunction>;
  /** Groups the rows of a call by the names of the statements. */
  results(rows: readonly PartRow[]): Results<S>;
}

/** Builds the statements once, with parameters for values. */
class PreparedTrip<P extends Parameters, S extends Statements> implements Trip<S> {
  readonly #parameters: P;
  readonly #build: (bound: Bound<P>) => S;
  #function: Promise<StoredFunction> | undefined;
  #made: { readonly statements: S; readonly parts: readonly Part[] } | undefined;

  constructor(parameters: P, build: (bound: Bound<P>) => S) {
    this.#parameters = parameters;
    this.#build = build;
  }

  function(): Promise<StoredFunction> {
    return (this.#function ??= this.#store());
  }

  #store(): Promise<StoredFunction> {
    const parameters = Object.entries(this.#parameters);
    return storedFunction(
      [
        'k_operation text',
        'k_key text',
        ...parameters.map(([name, type]) => `p_${name} ${type.replace('?', '')}`),
      ],
      `STABLE ${planning}`,
      [],
      [refusable, storedAnswer(), ...this.#compiled.parts.map(runPart)].join('\n'),
    );
  }

  get #compiled() {
    if (this.#made) return this.#made;
    const bound = Object.keys(this.#parameters).map((name) => [name, sql.raw(`p_${name}`)]);
    const statements = this.#build(Object.fromEntries(bound) as Bound<P>);
    return (this.#made = { statements, parts: sentOf(statements).map(partOf) });
  }

  values(values: Values<P>): unknown[] {
    return Object.keys(this.#parameters).map((name) => values[name] ?? null);
  }

  results(rows: readonly PartRow[]): Results<S> {
    const { statements, parts: sent } = this.#compiled;
    const texts = sent.map((): string[] => []);
    for (const [part, text] of rows) texts[part]?.push(text);
    return named(
      statements,
      sent.map(({ read }, at) => read(texts[at] ?? [])),
    );
  }
}

export class PreparedCall<S extends Statements> {
  /** For the compiler only: the type of the trip's statements. */
  declare readonly statements: S;
  readonly trip: Trip<S>;
  readonly values: readonly unknown[];
  constructor(trip: Trip<S>, values: readonly unknown[]) {
    this.trip = trip;
    this.values = values;
  }
}

const trips: Pick<Trip<never>, 'function'>[] = [];

/**
 * Prepares a trip: its statements become a PostgreSQL function that authorises the caller first. A connection plans it
 * once. `npm run migrate` makes the functions; their names are hashes of their texts, so a worker never calls a
 * different function. Values of raw statements come as in JSON: an id is a number. A LIMIT with a parameter must stand
 * in a query of ids alone: elsewhere the planner assumes that a tenth of the table is read.
 * @returns the function that gives a call its values
 */
export function prepared<const P extends Parameters, S extends Statements>(
  parameters: P,
  build: (bound: Bound<P>) => S,
): (values: Values<P>) => PreparedCall<S> {
  const trip = new PreparedTrip(parameters, build);
  trips.push(trip);
  return (values) => new PreparedCall(trip, trip.values(values));
}

/** Trips with the same statements share a function. */
export async function tripFunctions(): Promise<StoredFunction[]> {
  const functions = await Promise.all(trips.map((trip) => trip.function()));
  return [...new Map(functions.map((one) => [one.name, one])).values()];
}

export const findMissingFunctions = (names: readonly string[]) =>
  raw<{ name: string }>(sql`select name from unnest(${sql.param(names)}::text[]) name
    where not exists (select from pg_proc where proname = name)`);

const refusable = `  BEGIN
    ${authorise}
  EXCEPTION WHEN SQLSTATE 'SV001' OR SQLSTATE 'SV003' THEN
    ${answerFailure}
    RETURN;
  END;`;

/** A stored answer for the request ends the trip. */
const storedAnswer = () => {
  const found = findStoredAnswer({ operation: sql.raw('k_operation'), key: sql.raw('k_key') });
  return `  IF k_key IS NOT NULL THEN
    RETURN QUERY SELECT ${parts.storedAnswer}, row_to_json(q)::text FROM (${textOf(found)}) q;
    IF FOUND THEN RETURN; END IF;
  END IF;`;
};

function runPart({ text, condition }: Part, at: number): string {
  const query = `  RETURN QUERY SELECT ${at}, ${text};`;
  return condition === undefined ? query : `  IF ${condition} THEN\n  ${query}\n  END IF;`;
}

function partOf(statement: Statement): Part {
  const condition = conditionOf(statement);
  const text = `FROM (${textOf(statement)}) q`;
  const common = { condition: condition && inlined(condition) };
  if (is(statement, PgRaw)) {
    const read = (rows: readonly string[]) => ({ rows: rows.map((row) => JSON.parse(row)) });
    return { ...common, text: `row_to_json(q)::text ${text}`, read };
  }
  const { selectedFields } = (statement as unknown as PgSelect)._;
  const isRecord = '$record' in selectedFields;
  let reader: ((rows: readonly string[]) => unknown) | undefined;
  return {
    ...common,
    text: isRecord ? `q.r::text ${text} (r)` : `q::text ${text}`,
    // Most statements with conditions find nothing, so a reader is made with the first row.
    read: (rows) => (rows.length > 0 ? (reader ??= readerOfRows(statement, isRecord))(rows) : []),
  };
}

/** Reads rows as drizzle's own sessions do. */
function readerOfRows(statement: Statement, isRecord: boolean) {
  // The types lack this method.
  // eslint-disable-next-line no-underscore-dangle -- the method's name is drizzle's
  const prepared = (statement as unknown as { _prepare(): DrizzlePrepared })._prepare();
  const fields = prepared.fields.map(({ field }) => readerOf(field));
  const values = (row: string) =>
    compositeFields(row).map((text, i) => (text === null ? null : (fields[i]?.(text) ?? null)));
  return (rows: readonly string[]) =>
    recordsOf(prepared.mapResult({ rows: rows.map((row) => (isRecord ? [row] : values(row))) }));
}

type DrizzlePrepared = PreparedQuery & { readonly fields: readonly { readonly field: unknown }[] };

/** Returns the conversion of PostgreSQL's text that the driver would make before drizzle reads a field. */
function readerOf(field: unknown): (text: string) => string | boolean {
  if (is(field, PgBoolean)) return (text) => text === 't';
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  const { decoder } = expression as { decoder?: unknown };
  if (is(expression, SQL) && decoder === noopDecoder) {
    throw new Error('A prepared statement selects SQL without a decoder. Add .mapWith(…).');
  }
  return (text) => text;
}

export type Reads<S extends Statements> = S | PreparedCall<S>;

export interface Loaded<S extends Statements> {
  readonly results: Results<S>;
  readonly stored: StoredAnswer | undefined;
}
