import type { Results } from '../../kernel/database/statements.ts';
import { loadByHand } from '../../queries/commissions.ts';
import type { HandState } from '../../domain/commission/rules.ts';

/** What was loaded for a change by hand, as the rules take it. */
export function handState(
  {
    found: [row],
    rows,
    order: [order],
    product: [product],
    ids,
  }: Results<ReturnType<typeof loadByHand>>,
  now: Date,
): HandState | undefined {
  if (!row || !order || !product) return undefined;
  const holdDays = product.product.affiliate.hold_days;
  return { row, rows, order, holdDays, ids: ids.rows.map(({ id }) => Number(id)), now };
}
