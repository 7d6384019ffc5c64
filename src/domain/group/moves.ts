import type { GroupColumns } from '../../schema/groups.ts';
import type { groupMoves } from '../../schema/group-moves.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { type OrderStatus, paidStatuses } from '../../schema/lists.ts';
import { isDown } from './rules.ts';

/** The group that an order gives its buyer, and if the buyer was moved. */
export type GroupMove = typeof groupMoves.$inferSelect;

/** A move with its group, and the former group of a buyer who was moved. */
export interface MoveGroups {
  readonly move: GroupMove;
  readonly group: GroupColumns;
  readonly origin: GroupColumns | null;
}

/** Tells if an order still gives its group. */
export const stands = ({ status, deleted_at }: Pick<OrderColumns, 'status' | 'deleted_at'>) =>
  deleted_at === null && standing.includes(status);

const standing: readonly OrderStatus[] = paidStatuses;

/** The move of an order that gives a group; a buyer isn't moved within their group, or into a lower one. */
export function newMove(
  { order_id, user_id }: Pick<GroupMove, 'order_id' | 'user_id'>,
  group: GroupColumns,
  current: GroupColumns | null,
): GroupMove {
  const moved = current?.id !== group.id && !isDown(current, group);
  const from_group_id = moved ? (current?.id ?? null) : null;
  return { order_id, user_id, group_id: group.id, moved, from_group_id };
}

export interface MoveReversal {
  /** The group that the buyer returns to, null = none; undefined if they stay where they are. */
  readonly to?: GroupColumns | null;
  /** Changed moves of other orders. */
  readonly changed: GroupMove[];
}

/**
 * Undoes the move of one order. A buyer keeps a group that another order gives too. They return only if they are still
 * in the group: to the former one, or to a higher one that another order gives. If a later order moved them on, undoing
 * that order skips this group.
 */
export function undoMove(
  { move, origin }: MoveGroups,
  others: readonly MoveGroups[],
  current: number | null,
): MoveReversal {
  if (!move.moved) return { changed: [] };
  const { group_id, from_group_id } = move;
  const inherit = (heir: GroupMove) => ({ ...heir, moved: true, from_group_id });
  const heir = others.find((other) => other.move.group_id === group_id);
  if (heir) return { changed: heir.move.moved ? [] : [inherit(heir.move)] };
  if (current === group_id) {
    const next = highestAbove(origin, others);
    return next ? { to: next.group, changed: [inherit(next.move)] } : { to: origin, changed: [] };
  }
  const later = others.filter((other) => other.move.moved && other.move.from_group_id === group_id);
  return { changed: later.map((other) => ({ ...other.move, from_group_id })) };
}

/** The order that gives the highest group above `lowest`, of those that did not move the buyer. */
function highestAbove(
  lowest: GroupColumns | null,
  moves: readonly MoveGroups[],
): MoveGroups | undefined {
  return moves
    .filter(({ move, group }) => !move.moved && isDown(group, lowest))
    .toSorted((a, b) => b.group.priority - a.group.priority)[0];
}
