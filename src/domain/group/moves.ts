import type { groupMoves } from '../../schema/group-moves.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { type OrderStatus, paidStatuses } from '../../schema/lists.ts';

/** The record that an order gives its buyer a group, and if it has moved them there. */
export type GroupMove = typeof groupMoves.$inferSelect;

/** True if an order is still valid, so that its buyer keeps what it gave. */
export const stands = ({ status, deleted_at }: Pick<OrderColumns, 'status' | 'deleted_at'>) =>
  deleted_at === null && standing.includes(status);

const standing: readonly OrderStatus[] = paidStatuses;

/** The result of undoing a move. */
export interface MoveReversal {
  /** True if the buyer goes back to their former group. */
  readonly back: boolean;
  /** Moves of other orders, as they are from now on. */
  readonly changed: GroupMove[];
}

/**
 * Undoes the move of one order. The buyer keeps a group that another order gives too; they go back if
 * they are still in it; if a later order has moved them on, that one leads back past it.
 */
export function undoMove(
  move: GroupMove,
  others: readonly GroupMove[],
  current: number | null,
): MoveReversal {
  if (!move.moved) return { back: false, changed: [] };
  const { group_id, from_group_id } = move;
  const heir = others.find((other) => other.group_id === group_id);
  if (heir) {
    return { back: false, changed: heir.moved ? [] : [{ ...heir, moved: true, from_group_id }] };
  }
  if (current === group_id) return { back: true, changed: [] };
  const later = others.filter((other) => other.moved && other.from_group_id === group_id);
  return { back: false, changed: later.map((other) => ({ ...other, from_group_id })) };
}
