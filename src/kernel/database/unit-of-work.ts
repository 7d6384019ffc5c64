import {
  type NeonQueryFunction,
  type NeonQueryPromise,
  neon,
  neonConfig,
} from '@neondatabase/serverless';
import type { SQL } from 'drizzle-orm';
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
import { types } from './types.ts';

/** Longest a request may wait for the database over all its trips, in milliseconds. */
const deadline = 10_000;

/** How often a batch that collided with another (and so wrote nothing) is sent. */
const tries = 3;

export type Connection = NeonQueryFunction<boolean, boolean>;

/** Sends HTTP requests; a service binding or `fetch` itself. */
export interface Fetcher {
  fetch(input: string, init?: RequestInit): Promise<Response>;
}

/** A request as the driver makes it. */
interface DriverRequest extends RequestInit {
  headers: Record<string, string>;
}

/**
 * The connection to the database behind `url`. Where `endpoint` is given, requests go there and not
 * to the address derived from the url.
 */
export function connect(url: string, endpoint: Fetcher = globalThis): Connection {
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
  /** Writes; each statement sees what committed before it. */
  write: { isolationLevel: 'ReadCommitted', readOnly: false },
} as const;

/** The statement that authorises a request, and what to do with the row it answers. */
export interface Authorising {
  readonly statement: SQL;
  readonly accept: (row: unknown) => void;
}

/**
 * A request's access to the database. Every batch starts with the authorising statement, which
 * raises when the caller may not: nothing after it runs and nothing is returned. There is no other
 * way to the database, so a read costs one trip, authentication included, and a key revoked between
 * the two trips of a write stops the second.
 */
export class UnitOfWork {
  readonly #connection: Connection;
  readonly #authorising: Authorising | undefined;
  readonly #signal = AbortSignal.timeout(deadline);
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

  /** Authorises by a trip of its own, for a request that is answered without any other. */
  async authorise(): Promise<void> {
    if (!this.#authorised) await this.query({});
  }

  /** Reads in one snapshot. A statement that writes fails. */
  async query<S extends Statements>(statements: S): Promise<Results<S>> {
    return named(statements, await this.#collected('query', sentOf(statements)));
  }

  /**
   * Reads what a command needs in one snapshot, ids from sequences included.
   * @param beside what the kernel asks for in the same trip
   */
  async load<S extends Statements, B extends Statements>(
    statements: S,
    beside: B,
  ): Promise<[Results<S>, Results<B>]> {
    const sent = sentOf(statements);
    const results = await this.#collected('load', [...sent, ...sentOf(beside)]);
    return [
      named(statements, results.slice(0, sent.length)),
      named(beside, results.slice(sent.length)),
    ];
  }

  /** Writes all of it or nothing; answers each statement's result. Collisions are not retried here: the decision has to be made again. */
  async write(statements: readonly (Statement | Guard)[]): Promise<unknown[]> {
    return this.#send(
      'write',
      statements.map((item) => ('statement' in item ? item.statement : item)),
    );
  }

  /** Sends reads; again where they collided with a write. */
  async #collected(mode: 'query' | 'load', statements: readonly Statement[]): Promise<unknown[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(mode, statements);
      } catch (error) {
        if (!(error instanceof Collision) || attempt === tries) throw error;
      }
    }
  }

  async #send(mode: keyof typeof modes, statements: readonly Statement[]): Promise<unknown[]> {
    const started = Date.now();
    this.trips++;
    try {
      const authorising = this.#authorising;
      if (!authorising) return await this.#transaction(mode, [...statements]);
      const batch = [raw(authorising.statement), ...statements];
      const [authorisation, ...results] = await this.#transaction(mode, batch);
      authorising.accept((authorisation as { rows: unknown[] }).rows[0]);
      this.#authorised = true;
      return results;
    } catch (error) {
      throw databaseError(error);
    } finally {
      this.milliseconds += Date.now() - started;
    }
  }

  /** One trip: drizzle builds and maps, the driver sends, with the isolation drizzle can't set. */
  async #transaction(mode: keyof typeof modes, batch: Statement[]): Promise<unknown[]> {
    const connection = this.#connection;
    const options = { ...modes[mode], fetchOptions: { signal: this.#signal } };
    const client = {
      query: (text: string, params: unknown[], how: object) =>
        connection.query(text, params, { ...how, types }),
      transaction: (queries: NeonQueryPromise<boolean, boolean>[]) =>
        connection.transaction(queries, { arrayMode: true, fullResults: true, ...options }),
    };
    const results = await sessionOf(client).batch(batch as [Statement, ...Statement[]]);
    if (results.length !== batch.length) throw new Error('Not every statement was answered.');
    return results.map(recordsOf);
  }
}
