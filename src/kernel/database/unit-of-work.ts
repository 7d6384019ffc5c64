import {
  NeonDbError,
  type NeonQueryFunction,
  type NeonQueryPromise,
  neon,
  neonConfig,
} from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import type { Budget } from '../budget.ts';
import { Collision, databaseError } from './errors.ts';
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
import { PreparedCall } from './prepared.ts';
import {
  type Caller,
  type PartRow,
  type StoredFunction,
  callerArguments,
  parts,
} from './stored-function.ts';
import { writer, written } from './writing.ts';
import { type KeyedRequest, type StoredAnswer, findStoredAnswer } from './stored-answer.ts';
import { types } from './types.ts';

/** Longest a request may wait for the database over all its trips, in milliseconds. */
const deadline = 10_000;

/** How often reads that collided with a write are sent. */
const tries = 3;

export type Driver = NeonQueryFunction<boolean, boolean>;

/** The way to the database, as one invocation has it. */
export interface Connection {
  readonly driver: Driver;
  readonly budget: Budget;
}

/** Sends HTTP requests; a service binding or `fetch` itself. */
export interface Fetcher {
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

/** A request as the driver makes it. */
interface DriverRequest extends RequestInit {
  headers: Record<string, string>;
}

/**
 * Makes the driver of the database behind `url`. Where `endpoint` is given, requests go there and not
 * to the address derived from the url.
 */
export function connect(url: string, endpoint: Fetcher = globalThis): Driver {
  // The driver has no option for headers beside its own. Only with this one does the proxy give a
  // request a connection that was used before, and so the plans that are kept in it.
  neonConfig.fetchFunction = (input: string, init: DriverRequest) =>
    endpoint.fetch(input, { ...init, headers: { ...init.headers, 'Neon-Pool-Opt-In': 'true' } });
  return neon(url);
}

const modes = {
  /** Reads, all from one snapshot. */
  query: { isolationLevel: 'RepeatableRead', readOnly: true },
  /** Reads from one snapshot what a decision needs, and takes ids from sequences. */
  load: { isolationLevel: 'RepeatableRead', readOnly: false },
} as const;

/** The caller whom the database authorises, and what to do with what it answers of that caller. */
export interface Authorising extends Caller {
  readonly accept: (answer: unknown) => void;
}

/** What is read in a trip: statements, or a prepared trip with its values. */
export type Reads<S extends Statements> = S | PreparedCall<S>;

/** An error of PostgreSQL's, as a function answers it. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly constraint?: string;
}

interface Loaded<S extends Statements> {
  readonly results: Results<S>;
  readonly stored: StoredAnswer | undefined;
}

/**
 * A request's access to the database. Every trip authorises first: where the caller may not, nothing
 * after that runs and nothing is returned. There is no other way to the database, so a read costs one
 * trip, authentication included, and a key revoked between the two trips of a write stops the second.
 */
export class UnitOfWork {
  readonly #connection: Connection;
  readonly #authorising: Authorising | undefined;
  #signal = AbortSignal.timeout(deadline);
  #authorised: boolean;
  /** Round trips made so far, and the milliseconds they took. */
  trips = 0;
  milliseconds = 0;

  /** @param authorising undefined where everybody may, and there is nothing to check. */
  constructor(connection: Connection, authorising: Authorising | undefined) {
    this.#connection = connection;
    this.#authorising = authorising;
    this.#authorised = authorising === undefined;
  }

  get authorised(): boolean {
    return this.#authorised;
  }

  /** Gives what follows the whole time again: the next page of an answer that is sent already. */
  renew(): void {
    this.#signal = AbortSignal.timeout(deadline);
  }

  /** Authorises by a trip of its own, for a request that is answered without any other. */
  async authorise(): Promise<void> {
    if (!this.#authorised) await this.query({});
  }

  /** Reads in one snapshot. A statement that writes fails. */
  async query<S extends Statements>(reads: Reads<S>): Promise<Results<S>> {
    const { results } = await this.#reads('query', reads, undefined);
    return results;
  }

  /**
   * Reads what a command needs in one snapshot, ids from sequences included, and the answer that is
   * kept for the request's Idempotency-Key.
   */
  async load<S extends Statements>(reads: Reads<S>, keyed: KeyedRequest | undefined) {
    return this.#reads('load', reads, keyed);
  }

  /**
   * Writes all of it or nothing, and answers the rows of `last`. Collisions are not retried here: the
   * decision has to be made again.
   */
  async write<T extends object = never>(
    statements: readonly (Statement | Guard)[],
    last?: { readonly _: { readonly result: { rows: T[] } } } & Statement,
  ): Promise<T[]> {
    const all = [
      ...statements.map((item) => ('statement' in item ? item.statement : item)),
      ...(last ? [last] : []),
    ];
    const { texts, counts, values } = written(all);
    const { rows } = await this.#trip(async () =>
      this.#function(await writer(), [counts, values, last !== undefined], texts),
    );
    return rows.map(([, row]) => JSON.parse(row) as T);
  }

  /** Sends reads; again where they collided with a write. */
  async #reads<S extends Statements>(
    mode: 'query' | 'load',
    reads: Reads<S>,
    keyed: KeyedRequest | undefined,
  ): Promise<Loaded<S>> {
    const send = () =>
      reads instanceof PreparedCall
        ? this.#call(reads, keyed)
        : this.#statements(mode, reads, keyed);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#trip(send);
      } catch (error) {
        if (!(error instanceof Collision) || attempt === tries) throw error;
      }
    }
  }

  async #statements<S extends Statements>(
    mode: 'query' | 'load',
    reads: S,
    keyed: KeyedRequest | undefined,
  ): Promise<Loaded<S>> {
    const sent = sentOf(reads);
    const beside = keyed ? [findStoredAnswer(keyed)] : [];
    const results = await this.#transaction(mode, [...sent, ...beside]);
    const stored = results[sent.length] as { rows: StoredAnswer[] } | undefined;
    return { results: named(reads, results), stored: stored?.rows[0] };
  }

  /** Calls the function of a prepared trip. */
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
   * @param texts the last argument of one that has statements to run
   * @returns the rows of its statements, and a stored answer
   */
  async #function({ name }: StoredFunction, values: readonly unknown[], texts?: readonly string[]) {
    const authorising = this.#authorising;
    const single = [...callerArguments(authorising), ...values];
    const all = [...single, ...(texts ?? [])];
    const marks = all.map((_, i) => `$${i + 1}`);
    const given = [
      ...marks.slice(0, single.length),
      ...(texts ? [`array[${marks.slice(single.length).join(', ')}]::text[]`] : []),
    ];
    // The columns of the function; the driver's type says objects, whatever the mode.
    const { rows } = (await this.#connection.driver.query(
      `select * from ${name}(${given.join(', ')})`,
      all,
      {
        arrayMode: true,
        fullResults: true,
        types,
        fetchOptions: { signal: this.#signal },
      },
    )) as unknown as { rows: PartRow[] };
    const ofKernel = new Map<number, unknown>(
      rows.filter(([part]) => part < 0).map(([part, value]) => [part, JSON.parse(value)]),
    );
    const failure = ofKernel.get(parts.failure) as Failure | undefined;
    if (failure)
      throw Object.assign(new NeonDbError(failure.message), { ...failure, routine: name });
    if (authorising) {
      const answer = ofKernel.get(parts.authorisation);
      if (answer === undefined) throw new Error('The caller was not authorised.');
      this.#accept(answer);
    }
    return { rows: rows.filter(([part]) => part >= 0), stored: ofKernel.get(parts.storedAnswer) };
  }

  #accept(answer: unknown): void {
    this.#authorising?.accept(answer);
    this.#authorised = true;
  }

  async #trip<T>(send: () => Promise<T>): Promise<T> {
    const started = Date.now();
    try {
      this.#connection.budget.takeTrip();
      this.trips++;
      return await send();
    } catch (error) {
      throw databaseError(error);
    } finally {
      this.milliseconds += Date.now() - started;
    }
  }

  /** A transaction that authorises first: drizzle builds and maps, the driver sends, with the isolation drizzle can't set. */
  async #transaction(
    mode: keyof typeof modes,
    statements: readonly Statement[],
  ): Promise<unknown[]> {
    const { driver } = this.#connection;
    const authorising = this.#authorising;
    const batch = authorising ? [authorise(authorising), ...statements] : statements;
    const options = { ...modes[mode], fetchOptions: { signal: this.#signal } };
    const client = {
      query: (text: string, params: unknown[], how: object) =>
        driver.query(text, params, { ...how, types }),
      transaction: (queries: NeonQueryPromise<boolean, boolean>[]) =>
        driver.transaction(queries, { arrayMode: true, fullResults: true, ...options }),
    };
    const results = await sessionOf(client).batch(batch as [Statement, ...Statement[]]);
    if (results.length !== batch.length) throw new Error('Not every statement was answered.');
    if (!authorising) return results.map(recordsOf);
    const [authorisation, ...answers] = results;
    this.#accept((authorisation as { rows: { answer: unknown }[] }).rows[0]?.answer);
    return answers.map(recordsOf);
  }
}

const authorise = (caller: Caller): Statement => {
  const [kind, values] = callerArguments(caller);
  return raw(sql`select svc_authorize(${kind}, ${sql.param(values)}) as answer`);
};
