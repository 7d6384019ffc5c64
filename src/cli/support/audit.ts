import { insertAuditRow, subjectOf } from '../../kernel/command/audit.ts';
import { differenceOf } from '../../kernel/command/difference.ts';
import type { Statement } from '../../kernel/database/statements.ts';
import { personalFields } from '../../domain/service/personal-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A change from the command line. */
interface CommandLineChange {
  /** The id of the endpoint with the same effect: `settings.update`. */
  readonly operation: string;
  /** The kind of record, if it isn't that of the endpoint's id. */
  readonly subject?: string;
  /** The record's id; none for settings. */
  readonly record?: string | number;
  /** The record before and after, if it existed before. If nothing changed, no row is written. */
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
