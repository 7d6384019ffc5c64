import { DatabaseUnavailable } from '../database/errors.ts';

/**
 * Works on rows in turn, also after a failure.
 * @throws the first failure, after all rows had their turn; DatabaseUnavailable at once
 */
export async function eachApart<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const row of rows) {
    await work(row).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) throw error;
      failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}
