import type { DomainEvent } from '../events/define.ts';
import type { ErrorTable } from '../errors/errors.ts';
import type { ConsoleRights } from '../auth/console-session.ts';
import type { ErrorCode } from '../vocabulary/vocabulary.ts';

/** Errors of constraints of the database, by their names. */
type ConstraintErrors = Readonly<Record<string, ErrorCode>>;

/** The tables and rules that the kernel is configured with. */
export interface Shop extends ConsoleRights {
  /** The fields of a kind of record whose values are personal, by the name its operations have. */
  readonly personalFields: (subject: string) => readonly string[];
  /** The events of a transaction with those that follow from them. */
  readonly withFollowing: (events: readonly DomainEvent[]) => Promise<readonly DomainEvent[]>;
  /** Every error that an endpoint answers with. */
  readonly errors: ErrorTable;
  /** Errors of rows that a UNIQUE constraint refuses, where the caller chose the value. */
  readonly takenErrors: ConstraintErrors;
  /** Constraints on values that a decision drew: another decision may draw one that is free. */
  readonly drawnErrors: ConstraintErrors;
}
