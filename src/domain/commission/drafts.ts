import type { CommissionColumns } from '../../schema/commissions.ts';

/** A commission's draft line and amount. */
type Part = Pick<CommissionColumns, 'id' | 'payout_line_id' | 'commission'>;

/**
 * Returns the draft lines whose sum a change moves.
 * @param written changed and new rows
 */
export function movedLines(before: readonly Part[], written: readonly Part[]): number[] {
  const former = new Map(before.map((row) => [row.id, row]));
  const lines = written.flatMap((row) => {
    const was = former.get(row.id);
    const isStill =
      was?.payout_line_id === row.payout_line_id && was?.commission === row.commission;
    return isStill ? [] : [was?.payout_line_id ?? null, row.payout_line_id];
  });
  return [...new Set(lines.filter((line) => line !== null))];
}
