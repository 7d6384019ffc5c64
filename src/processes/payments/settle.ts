import { Collision, DatabaseUnavailable } from '../../kernel/database/errors.ts';
import { failureOf, tellOperator } from '../../kernel/errors/tell.ts';

/**
 * Pays an order with received money. If the order can't be paid, for whatever reason, it records the money without the
 * order. A bug counts as a reason, so that other payments go on.
 * @param book pays the order, or with `refused` records the money alone; returns the code of a refusal
 * @param about names the payment in the operator's log
 * @returns false if others kept changing the order
 * @throws DatabaseUnavailable
 */
export async function settle(
  book: (refused: boolean) => Promise<string | undefined>,
  about: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  const why = await book(false).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) throw error;
    if (error instanceof Collision) return 'rest_conflict';
    tellOperator({ ...about, ...failureOf(error as Error) });
    return 'rest_internal_error';
  });
  const isRefused = why !== undefined && why !== 'rest_conflict';
  return (isRefused ? await book(true) : why) === undefined;
}
