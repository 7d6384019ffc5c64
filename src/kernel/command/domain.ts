import type { DomainEvent } from '../events/define.ts';
import type { ErrorTable } from '../errors/errors.ts';
import type { ConsoleRights } from '../auth/console-session.ts';
import type { ErrorCode } from '../vocabulary/vocabulary.ts';

/** Errors of constraints of the database, by their names. */
type ConstraintErrors = Readonly<Record<string, ErrorCode>>;

/** The tables and rules that the kernel is configured with. */
export interface Domain extends ConsoleRights {
  /** The personal fields of each kind of record, by the name in its operation ids. */
  readonly personalFields: (subject: string) => readonly string[];
  /** The events of a transaction with those that follow from them. */
  readonly withFollowing: (events: readonly DomainEvent[]) => Promise<readonly DomainEvent[]>;
  /** Every error that an endpoint answers with. */
  readonly errors: ErrorTable;
  /** Errors for rows that a UNIQUE constraint refuses, if the caller chose the value. */
  readonly takenErrors: ConstraintErrors;
  /** Constraints on values that a decision drew at random: another decision may draw a free value. */
  readonly drawnErrors: ConstraintErrors;
}
