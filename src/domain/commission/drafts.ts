import type { CommissionColumns } from '../../schema/commissions.ts';

/** The draft line of a commission, and the amount that it adds to the line. */
type Part = Pick<CommissionColumns, 'id' | 'payout_line_id' | 'commission'>;

/**
 * Returns the draft lines whose sum a change moves.
 * @param before the rows as stored
 * @param written the rows that change, and new ones
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
