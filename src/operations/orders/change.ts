import { sendIf } from '../../kernel/database/statements.ts';
import { one } from '../../kernel/endpoint/envelope.ts';
import { type ErrorCode, type Refusal, isRefusal } from '../../kernel/errors/errors.ts';
import { toOrder } from '../../domain/order/rules.ts';
import type { OrderUpdate } from '../../domain/order/schemas.ts';
import { mayDrawCode } from '../../domain/purchase/payable.ts';
import { type Update, hasMoved } from '../../domain/purchase/update.ts';
import { findFiguresNearOrder } from '../../queries/transfer-figures.ts';
import { type LoadedFollowing, loadOrderUpdate, planMove } from '../../reactions/plan.ts';

/**
 * Everything an update of an order is decided on, the figures its transfer can't have included.
 * @param due what it will cost, where that was decided before
 */
export const loadOrderChange = (
  id: number,
  input: OrderUpdate,
  due: number | undefined,
  now: Date,
) => ({
  ...loadOrderUpdate(id, input),
  figures: sendIf(mayDrawCode(input), () => findFiguresNearOrder(id, input, due, now)),
});

/** An updated order with what follows from it; who asked for a status is told whether it changed. */
export function changedOrder<C extends ErrorCode>(
  updated: Update | Refusal<C>,
  loaded: LoadedFollowing,
  { status }: OrderUpdate,
) {
  if (isRefusal(updated)) return updated;
  const plan = planMove(updated, loaded);
  if (isRefusal(plan)) return plan;
  const changed = status && { changed: hasMoved(updated) };
  return { ...plan, reply: { ...one(toOrder(updated.row)), ...changed } };
}
