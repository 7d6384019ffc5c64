import type { OrderChange, OrderTarget } from '../domain/order/change.ts';
import type { Results, Statements, Write } from '../kernel/database/statements.ts';
import type { Refusal } from '../kernel/errors/errors.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import type { ErrorCode } from '../kernel/vocabulary/vocabulary.ts';

export interface Consequence<C extends ErrorCode> {
  readonly write: readonly Write<C>[];
  readonly events?: readonly DomainEvent[];
}

/**
 * An area whose records follow from orders (commissions, licences, access, …). Its rows are loaded in the order's trip,
 * and its decision is written in the order's transaction.
 */
interface Reaction<S extends Statements, C extends ErrorCode, P> {
  /** Every endpoint that changes orders declares these. */
  readonly errors: readonly C[];
  load(target: OrderTarget): S;
  /** @param passed the result of another reaction that this one depends on */
  decide(change: OrderChange, loaded: Results<S>, passed: P): Consequence<C> | Refusal<C>;
}

export const reaction = <S extends Statements, const C extends ErrorCode = never, P = void>(
  declared: Reaction<S, C, P>,
): Reaction<S, C, P> => declared;
