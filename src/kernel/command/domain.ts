import type { DomainEvent } from '../events/define.ts';
import type { ErrorTable } from '../errors/errors.ts';
import type { ConsoleRights } from '../auth/console-session.ts';
import type { ErrorCode } from '../vocabulary/vocabulary.ts';

type ConstraintErrors = Readonly<Record<string, ErrorCode>>;

/** The tables and rules that the kernel is configured with. */
export interface Domain extends ConsoleRights {
  /** The personal fields of each kind of record, by the name in its operation ids. */
  readonly personalFields: (subject: string) => readonly string[];
  readonly withFollowing: (events: readonly DomainEvent[]) => Promise<readonly DomainEvent[]>;
  /** Every error that an endpoint answers with. */
  readonly errors: ErrorTable;
  /** Errors of UNIQUE constraints on values that the caller chose. */
  readonly takenErrors: ConstraintErrors;
  /** Errors of UNIQUE constraints on values that a decision drew at random: another try may draw a free one. */
  readonly drawnErrors: ConstraintErrors;
}
