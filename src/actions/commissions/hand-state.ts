import type { Results } from '../../kernel/database/statements.ts';
import { loadByHand } from '../../queries/commissions.ts';
import { type Refusal, current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import type { HandState } from '../../domain/commission/rules.ts';

export function handState(
  {
    found,
    rows,
    order: [order],
    product: [product],
    ids,
    risks,
  }: Results<ReturnType<typeof loadByHand>>,
  ifMatch: number | undefined,
  now: Date,
): HandState | Refusal<'rest_not_found' | 'rest_conflict'> {
  if (!order || !product) return refuse('rest_not_found');
  const row = current(found, ifMatch);
  if (isRefusal(row)) return row;
  const holdDays = product.product.affiliate.hold_days;
  return {
    row,
    rows,
    order,
    holdDays,
    ids: ids.rows.map(({ id }) => Number(id)),
    risks: risks.map(({ risk: { status }, tier }) => ({ status, tier })),
    now,
  };
}
