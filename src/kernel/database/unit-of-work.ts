import { once } from '../../lib/once.ts';
import type { Budget } from '../budget.ts';
import { Collision, databaseError } from './errors.ts';
import type { Driver } from './neon.ts';
import type { Guard, Results, Statement, Statements } from './statements.ts';
import type { KeyedRequest } from './stored-answer.ts';
import type { Loaded, Reads } from './prepared.ts';
import type { Authorising } from './stored-function.ts';
import type { Trip } from './trips.ts';

/** Longest a request may wait for the database over all its trips, in milliseconds. */
const deadline = 10_000;

/** The number of times that a read is sent if it collides with a write. */
const tries = 3;

/** The way to the database, as one invocation has it. */
export interface Connection {
  readonly driver: () => Promise<Driver>;
  readonly budget: Budget;
  /** The id of the store whose database it has to be, where that is known. */
  readonly store: string | undefined;
}

/** Loads the code that builds and sends statements with the first trip, and not before. */
const loadTrips = once(() => import('./trips.ts'));

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
    const { writtenTexts } = await loadTrips();
    const texts = writtenTexts([...statements, ...(last ? [last] : [])]);
    return (await this.#trip((trip) => trip.write(texts, last !== undefined))) as T[];
  }

  /** Sends reads; again where they collided with a write. */
  async #reads<S extends Statements>(
    mode: 'query' | 'load',
    reads: Reads<S>,
    keyed: KeyedRequest | undefined,
  ): Promise<Loaded<S>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#trip((trip) => trip.read(mode, reads, keyed));
      } catch (error) {
        if (!(error instanceof Collision) || attempt === tries) throw error;
      }
    }
  }

  #accept(answer: unknown): void {
    this.#authorising?.accept(answer);
    this.#authorised = true;
  }

  async #trip<T>(send: (trip: Trip) => Promise<T>): Promise<T> {
    const { budget, store, driver: open } = this.#connection;
    const [{ Trip }, driver] = await Promise.all([loadTrips(), open()]);
    const started = Date.now();
    try {
      budget.takeTrip();
      this.trips++;
      return await send(
        new Trip({
          driver,
          authorising: this.#authorising,
          store,
          signal: this.#signal,
          accept: (answer) => this.#accept(answer),
        }),
      );
    } catch (error) {
      throw databaseError(error);
    } finally {
      this.milliseconds += Date.now() - started;
    }
  }
}
