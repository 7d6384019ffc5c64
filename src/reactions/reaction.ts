import type { OrderChange, OrderTarget } from '../domain/order/change.ts';
import type { Results, Statements, Write } from '../kernel/database/statements.ts';
import type { Refusal } from '../kernel/errors/errors.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import type { ErrorCode } from '../kernel/vocabulary/vocabulary.ts';

/** An area's part in the transaction of an order's change. */
export interface Consequence<C extends ErrorCode> {
  readonly write: readonly Write<C>[];
  readonly events?: readonly DomainEvent[];
}

/**
 * An area whose records follow from orders (commissions, licences, access, …). Its data is loaded in the order's trip;
 * its decision is written in the order's transaction.
 */
interface Reaction<S extends Statements, C extends ErrorCode, P> {
  /** Its errors; every endpoint that changes orders declares these. */
  readonly errors: readonly C[];
  load(target: OrderTarget): S;
  /** @param passed the result of another reaction to the same change, if this one depends on it */
  decide(change: OrderChange, loaded: Results<S>, passed: P): Consequence<C> | Refusal<C>;
}

/** Declares a reaction; its statements and codes are inferred. */
export const reaction = <S extends Statements, const C extends ErrorCode = never, P = void>(
  declared: Reaction<S, C, P>,
): Reaction<S, C, P> => declared;
