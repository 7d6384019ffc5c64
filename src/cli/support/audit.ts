import { insertAuditRow, subjectOf } from '../../kernel/command/audit.ts';
import { differenceOf } from '../../kernel/command/difference.ts';
import type { Statement } from '../../kernel/database/statements.ts';
import { personalFields } from '../../domain/service/personal-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

interface CommandLineChange {
  /** The id of the endpoint with the same effect: `settings.update`. */
  readonly operation: string;
  /** The kind of record, if the operation's id doesn't name it. */
  readonly subject?: string;
  /** The record's id; none for settings. */
  readonly record?: string | number;
  /** Undefined for a new record. Without a difference no row is written. */
  readonly change?: { readonly before: Fields; readonly after: Fields };
}

/** Returns the audit row of a change from the command line, for its transaction. */
export function commandLineRow(
  { operation, subject = subjectOf(operation), record, change }: CommandLineChange,
  at: Date,
): Statement[] {
  const difference = change && differenceOf(change.before, change.after, personalFields(subject));
  if (change && !difference) return [];
  return [
    insertAuditRow({
      ...{ at, operation, subject, ...difference },
      actor: { type: 'system', id: null },
      record: record ?? null,
    }),
  ];
}
