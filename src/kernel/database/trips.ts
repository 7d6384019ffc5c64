import { NeonDbError, type NeonQueryPromise } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import type { Driver } from './neon.ts';
import { PreparedCall, type Loaded, type Reads } from './prepared.ts';
import {
  type Guard,
  type Results,
  type Statement,
  type Statements,
  named,
  raw,
  recordsOf,
  sentOf,
  sessionOf,
} from './statements.ts';
import { type KeyedRequest, type StoredAnswer, findStoredAnswer } from './stored-answer.ts';
import {
  type Caller,
  type PartRow,
  type StoredFunction,
  callerArguments,
  parts,
  type Authorising,
} from './stored-function.ts';
import { types } from './types.ts';
import { writer, written } from './writing.ts';

const modes = {
  /** Reads from one snapshot. */
  query: { isolationLevel: 'RepeatableRead', readOnly: true },
  /** Reads what a decision needs from one snapshot, and takes ids from sequences. */
  load: { isolationLevel: 'RepeatableRead', readOnly: false },
} as const;

/** A PostgreSQL error in a row. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly constraint?: string;
}

/**
 * Statements to send.
 * @throws Error for a statement that may not be sent
 */
export const writtenTexts = (statements: readonly (Statement | Guard)[]) =>
  written(statements.map((item) => ('statement' in item ? item.statement : item)));

interface Way {
  readonly driver: Driver;
  readonly authorising: Authorising | undefined;
  /** The expected id of the store; undefined if it isn't known. */
  readonly store: string | undefined;
  readonly signal: AbortSignal;
  /** Receives the answer of the authorising function. */
  readonly accept: (answer: unknown) => void;
}

/** Makes trips. Each is one request to the database, which authorises first. */
export class Trip {
  readonly #way: Way;

  constructor(way: Way) {
    this.#way = way;
  }

  /** Reads, and finds the stored answer of a request. */
  async read<S extends Statements>(
    mode: keyof typeof modes,
    reads: Reads<S>,
    keyed: KeyedRequest | undefined,
  ): Promise<Loaded<S>> {
    return reads instanceof PreparedCall
      ? this.#call(reads, keyed)
      : this.#statements(mode, reads, keyed);
  }

  /** Makes several calls of one prepared trip by one statement. */
  async readEach<S extends Statements>(calls: readonly PreparedCall<S>[]): Promise<Results<S>[]> {
    const [first] = calls;
    if (!first) return [];
    const called = await first.trip.function();
    const caller = this.#caller;
    const texts = calls.map(({ values }, at) => {
      const own = caller.length + at * values.length;
      const given = [...marks(0, caller.length), 'null', 'null', ...marks(own, values.length)];
      return `select ${at}, * from ${called.name}(${given.join(', ')})`;
    });
    const values = [...caller, ...calls.flatMap((call) => call.values)];
    const rows = await this.#send<[call: number, ...PartRow]>(texts.join(' union all '), values);
    const rowsOf = Map.groupBy(rows, ([call]) => call);
    return calls.map((_, at) => {
      const own = (rowsOf.get(at) ?? []).map(([, ...row]) => row);
      return first.trip.results(this.#answer(called, own).rows);
    });
  }

  /** @param answers true to return the rows of the last statement */
  async write(
    { texts, counts, values }: ReturnType<typeof written>,
    answers: boolean,
  ): Promise<unknown[]> {
    const { rows } = await this.#function(await writer(), [counts, values, answers], texts);
    return rows.map(([, row]) => JSON.parse(row) as unknown);
  }

  async #statements<S extends Statements>(
    mode: keyof typeof modes,
    reads: S,
    keyed: KeyedRequest | undefined,
  ): Promise<Loaded<S>> {
    const sent = sentOf(reads);
    const beside = keyed ? [findStoredAnswer(keyed)] : [];
    const results = await this.#transaction(mode, [...sent, ...beside]);
    const stored = results[sent.length] as { rows: StoredAnswer[] } | undefined;
    return { results: named(reads, results), stored: stored?.rows[0] };
  }

  async #call<S extends Statements>(
    { trip, values }: PreparedCall<S>,
    keyed: KeyedRequest | undefined,
  ): Promise<Loaded<S>> {
    const called = await trip.function();
    const { rows, stored } = await this.#function(called, [
      keyed?.operation,
      keyed?.key,
      ...values,
    ]);
    return { results: trip.results(rows), stored: stored as StoredAnswer | undefined };
  }

  /**
   * Calls a function that authorises first.
   * @param texts the last argument of a function that runs statements
   * @returns the rows of its statements, and a stored answer
   */
  async #function(called: StoredFunction, values: readonly unknown[], texts?: readonly string[]) {
    const single = [...this.#caller, ...values];
    const given = [
      ...marks(0, single.length),
      ...(texts ? [`array[${marks(single.length, texts.length).join(', ')}]::text[]`] : []),
    ];
    const text = `select * from ${called.name}(${given.join(', ')})`;
    return this.#answer(called, await this.#send<PartRow>(text, [...single, ...(texts ?? [])]));
  }

  get #caller(): readonly unknown[] {
    const { authorising, store } = this.#way;
    return callerArguments(authorising, store);
  }

  /** Sends a statement. @returns its rows, as arrays of columns */
  async #send<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const { driver, signal } = this.#way;
    const options = {
      arrayMode: true,
      fullResults: true,
      types,
      fetchOptions: { signal },
    } as const;
    // The driver's type says objects in every mode.
    const { rows } = (await driver.query(text, values, options)) as unknown as { rows: Row[] };
    return rows;
  }

  /** Reads the rows of a call. @throws NeonDbError if the function returned a failure */
  #answer({ name }: StoredFunction, rows: readonly PartRow[]) {
    const { authorising } = this.#way;
    const ofKernel = new Map<number, unknown>(
      rows.filter(([part]) => part < 0).map(([part, value]) => [part, JSON.parse(value)]),
    );
    const failure = ofKernel.get(parts.failure) as Failure | undefined;
    if (failure)
      throw Object.assign(new NeonDbError(failure.message), { ...failure, routine: name });
    if (authorising) {
      const answer = ofKernel.get(parts.authorisation);
      if (answer === undefined) throw new Error('The caller was not authorised.');
      this.#way.accept(answer);
    }
    return { rows: rows.filter(([part]) => part >= 0), stored: ofKernel.get(parts.storedAnswer) };
  }

  /**
   * Runs statements in a transaction that authorises first. Drizzle can't set the isolation level, so the driver sends
   * the statements that drizzle builds.
   */
  async #transaction(
    mode: keyof typeof modes,
    statements: readonly Statement[],
  ): Promise<unknown[]> {
    const { driver, authorising, store, signal } = this.#way;
    const isChecked = authorising !== undefined || store !== undefined;
    const batch = isChecked ? [authorise(authorising, store), ...statements] : statements;
    const options = { ...modes[mode], fetchOptions: { signal: signal } };
    const client = {
      query: (text: string, params: unknown[], how: object) =>
        driver.query(text, params, { ...how, types }),
      transaction: (queries: NeonQueryPromise<boolean, boolean>[]) =>
        driver.transaction(queries, { arrayMode: true, fullResults: true, ...options }),
    };
    const results = await sessionOf(client).batch(batch as [Statement, ...Statement[]]);
    if (results.length !== batch.length) throw new Error('Not every statement was answered.');
    if (!isChecked) return results.map(recordsOf);
    const [authorisation, ...answers] = results;
    this.#way.accept((authorisation as { rows: { answer: unknown }[] }).rows[0]?.answer);
    return answers.map(recordsOf);
  }
}

/** Returns the marks of parameters, such as `$3`: how many, and after how many others. */
const marks = (from: number, many: number): string[] =>
  Array.from({ length: many }, (_, i) => `$${from + i + 1}`);

const authorise = (caller: Caller | undefined, store: string | undefined): Statement => {
  const [kind, values, own] = callerArguments(caller, store);
  return raw(sql`select svc_authorize_caller(${kind}, ${sql.param(values)}, ${own}) as answer`);
};
