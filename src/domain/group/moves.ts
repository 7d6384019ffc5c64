import type { groupMoves } from '../../schema/group-moves.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { type OrderStatus, paidStatuses } from '../../schema/lists.ts';

/** The group that an order gives its buyer, and if the buyer was moved. */
export type GroupMove = typeof groupMoves.$inferSelect;

/** Tells if an order still gives its group. */
export const stands = ({ status, deleted_at }: Pick<OrderColumns, 'status' | 'deleted_at'>) =>
  deleted_at === null && standing.includes(status);

const standing: readonly OrderStatus[] = paidStatuses;

export interface MoveReversal {
  /** True if the buyer returns to the former group. */
  readonly back: boolean;
  /** Changed moves of other orders. */
  readonly changed: GroupMove[];
}

/**
 * Undoes the move of one order. A buyer keeps a group that another order gives too. They return only if they are still
 * in the group. If a later order moved them on, undoing that order skips this group.
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
