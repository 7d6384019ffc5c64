import { insertAuditRow, subjectOf } from '../../kernel/command/audit.ts';
import { differenceOf } from '../../kernel/command/difference.ts';
import type { Statement } from '../../kernel/database/statements.ts';
import { personalFields } from '../../domain/service/personal-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A change that the command line makes. */
interface CommandLineChange {
  /** The id of the endpoint that does the same: `settings.update`. */
  readonly operation: string;
  /** The kind of record, where the operation isn't named for it. */
  readonly subject?: string;
  /** The record's id; none for settings. */
  readonly record?: string | number;
  /** The record as it was and as it is, where it was there before. A change of nothing leaves no row. */
  readonly change?: { readonly before: Fields; readonly after: Fields };
}

/** Returns the audit row of a change that the command line makes, for the transaction of that change. */
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
