import type { Results, Statements } from '../database/statements.ts';
import type { Reads } from '../database/prepared.ts';
import { UnitOfWork } from '../database/unit-of-work.ts';
import { type ErrorCode, type Refusal, isRefusal } from '../errors/errors.ts';
import type { Answer, Decision } from './decision.ts';
import { type SystemContext, changeAsSystem } from './system.ts';

/** The error of every write, which endpoints need not declare. */
export type KernelCode = 'rest_conflict';

/** Reads: each call is one trip. */
export interface ReadAccess {
  query<S extends Statements>(reads: Reads<S>): Promise<Results<S>>;
}

/** A command: load, decide, write, in two trips at most. */
export interface WriteAccess<Body> extends ReadAccess {
  /**
   * Loads in one trip, makes the decision with the pure function `decide`, and writes in one more trip, together with
   * the stored answer of an Idempotency-Key. If a guard finds that the state changed in between, everything is
   * repeated, with the decision's facts in `again`.
   */
  change<S extends Statements, C extends ErrorCode, Again = never>(command: {
    readonly load: Reads<S> | ((again: Again | undefined) => Reads<S>);
    readonly decide: (
      loaded: Results<S>,
      again: Again | undefined,
    ) => Refusal<C> | Decision<Body, C, Again>;
  }): Promise<Answer | Refusal<C | KernelCode>>;
}

/** The store for code that runs both for a request and for the service itself. */
export interface StoreAccess extends ReadAccess {
  /** The start of a request; the present time for the service itself, whose work may take long. */
  readonly now: Date;
  /** Returns the refusal, if there was one. Nothing is written then. */
  change<S extends Statements>(command: {
    readonly load: Reads<S>;
    readonly decide: (loaded: Results<S>) => Refusal | Omit<Decision<null, ErrorCode>, 'reply'>;
  }): Promise<Refusal | undefined>;
}

export const systemAccess = (context: SystemContext): StoreAccess => ({
  get now() {
    return context.clock.now();
  },
  query: (reads) => new UnitOfWork(context.connection, undefined).query(reads),
  change: ({ load, decide }) =>
    changeAsSystem(context, { load, decide: (loaded) => answered(decide(loaded), null) }),
});

/**
 * The store for a request.
 * @param reply the body for every change; nobody reads it
 */
export const requestAccess = <Body>(
  db: WriteAccess<Body>,
  reply: Body,
  now: Date,
): StoreAccess => ({
  now,
  query: (reads) => db.query(reads),
  change: async ({ load, decide }) => {
    const outcome = await db.change({ load, decide: (loaded) => answered(decide(loaded), reply) });
    return isRefusal(outcome) ? outcome : undefined;
  },
});

const answered = <Body>(
  decided: Refusal | Omit<Decision<null, ErrorCode>, 'reply'>,
  reply: Body,
): Refusal | Decision<Body, ErrorCode> => (isRefusal(decided) ? decided : { ...decided, reply });
