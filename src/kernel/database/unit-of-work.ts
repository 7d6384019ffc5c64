import { once } from '../../lib/once.ts';
import type { Budget } from '../budget.ts';
import { Collision, databaseError } from './errors.ts';
import type { Driver } from './neon.ts';
import type { Guard, Results, Statement, Statements } from './statements.ts';
import type { KeyedRequest } from './stored-answer.ts';
import type { Loaded, PreparedCall, Reads } from './prepared.ts';
import type { Authorising } from './stored-function.ts';
import type { Trip } from './trips.ts';

/** The longest time that a request may wait for the database over all its trips, in milliseconds. */
const deadline = 10_000;

/** The number of times that a read is sent if it collides with a write. */
const tries = 3;

/** The database connection of one invocation. */
export interface Connection {
  readonly driver: () => Promise<Driver>;
  readonly budget: Budget;
  /** The expected id of the store; undefined if it isn't known. */
  readonly store: string | undefined;
}

/** Loads the code that builds and sends statements with the first trip. */
const loadTrips = once(() => import('./trips.ts'));

/**
 * A request's access to the database; there is no other. Every trip authorises first: if the caller may not do this,
 * nothing else runs and nothing is returned. So a read costs one trip with its authentication, and revoking a key
 * between the two trips of a write stops the second.
 */
export class UnitOfWork {
  readonly #connection: Connection;
  readonly #authorising: Authorising | undefined;
  #signal = AbortSignal.timeout(deadline);
  #authorised: boolean;
  /** Round trips made so far, and the milliseconds they took. */
  trips = 0;
  milliseconds = 0;

  /** @param authorising undefined if everybody may call, and there is nothing to check */
  constructor(connection: Connection, authorising: Authorising | undefined) {
    this.#connection = connection;
    this.#authorising = authorising;
    this.#authorised = authorising === undefined;
  }

  get authorised(): boolean {
    return this.#authorised;
  }

  /** Restarts the time limit, for the next page of an answer that is already being sent. */
  renew(): void {
    this.#signal = AbortSignal.timeout(deadline);
  }

  /** Makes a trip that only authorises, if there was none. */
  async authorise(): Promise<void> {
    if (!this.#authorised) await this.query({});
  }

  /** Reads in one snapshot. A statement that writes fails. */
  async query<S extends Statements>(reads: Reads<S>): Promise<Results<S>> {
    const { results } = await this.#reads('query', reads, undefined);
    return results;
  }

  /** Makes several calls of one prepared trip in one round trip, in one snapshot. */
  async queryEach<S extends Statements>(calls: readonly PreparedCall<S>[]): Promise<Results<S>[]> {
    return this.#repeated((trip) => trip.readEach(calls));
  }

  /** Reads in one snapshot, draws ids from sequences, and finds the stored answer of the Idempotency-Key. */
  async load<S extends Statements>(reads: Reads<S>, keyed: KeyedRequest | undefined) {
    return this.#reads('load', reads, keyed);
  }

  /**
   * Writes everything or nothing, and returns the rows of `last`. A collision is not retried here, because the decision
   * must be made again.
   */
  async write<T extends object = never>(
    statements: readonly (Statement | Guard)[],
    last?: { readonly _: { readonly result: { rows: T[] } } } & Statement,
  ): Promise<T[]> {
    const { writtenTexts } = await loadTrips();
    const texts = writtenTexts([...statements, ...(last ? [last] : [])]);
    return (await this.#trip((trip) => trip.write(texts, last !== undefined))) as T[];
  }

  async #reads<S extends Statements>(
    mode: 'query' | 'load',
    reads: Reads<S>,
    keyed: KeyedRequest | undefined,
  ): Promise<Loaded<S>> {
    return this.#repeated((trip) => trip.read(mode, reads, keyed));
  }

  /** Sends reads, and repeats them if they collide with a write. */
  async #repeated<T>(read: (trip: Trip) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#trip(read);
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
