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
  /** The order that began the subscription of its order, or the order itself. */
  readonly first_order_id: number;
  readonly group: GroupColumns;
  readonly origin: GroupColumns | null;
}

/** Tells if an order still gives its group, unless its subscription has stopped. */
export const stands = ({ status, deleted_at }: Pick<OrderColumns, 'status' | 'deleted_at'>) =>
  deleted_at === null && standing.includes(status);

const standing: readonly OrderStatus[] = paidStatuses;

/**
 * The move of an order that gives a group; a buyer isn't moved within their group, or into a lower one.
 * @param current the buyer's group
 * @param others the moves of the buyer's other orders
 */
export function newMove(
  { order_id, user_id }: Pick<GroupMove, 'order_id' | 'user_id'>,
  group: GroupColumns,
  current: GroupColumns | null,
  others: readonly MoveGroups[],
): GroupMove {
  const moved = current?.id !== group.id && !isDown(current, group);
  const before = others.some(({ move }) => move.moved) ? groupBefore(others) : current;
  const from_group_id = moved ? (before?.id ?? null) : null;
  return { order_id, user_id, group_id: group.id, moved, from_group_id };
}

export interface MoveReversal {
  /** The group that the buyer returns to, null = none; undefined if they stay where they are. */
  readonly to?: GroupColumns | null;
  /** Changed moves of other orders. */
  readonly changed: GroupMove[];
}

/**
 * Undoes the moves of one order, or of all orders of a subscription. A buyer who is still in their group keeps it if
 * another order gives it too. Otherwise they move to the highest group that another order gives, or to the one that they
 * had before all orders if none is higher. The other moves then come from the group before all orders.
 */
export function undoMoves(
  undone: readonly MoveGroups[],
  others: readonly MoveGroups[],
  current: number | null,
): MoveReversal {
  const moved = undone.filter(({ move }) => move.moved);
  if (moved.length === 0) return { changed: [] };
  const base = groupBefore([...moved, ...others]);
  const from_group_id = base?.id ?? null;
  const isInGroup = moved.some(({ move }) => move.group_id === current);
  const heir = isInGroup ? heirOf(current, others, base) : undefined;
  const changed = others
    .map(({ move }) => move)
    .filter((move) => (move.moved ? move.from_group_id !== from_group_id : move === heir?.move))
    .map((move) => ({ ...move, moved: true, from_group_id }));
  if (!isInGroup || heir?.group.id === current) return { changed };
  return { to: heir?.group ?? base, changed };
}

/**
 * The group that a buyer had before all orders. Every move comes from it; in moves that former versions wrote, only the
 * first does, and the others come from the group that the previous one led into.
 */
function groupBefore(all: readonly MoveGroups[]): GroupColumns | null {
  const moved = all.filter(({ move }) => move.moved);
  const reached = moved.map(({ move }) => move.group_id);
  const first = moved.find(({ origin }) => origin === null || !reached.includes(origin.id));
  return (first ?? moved[0])?.origin ?? null;
}

/** The order whose group takes the place of the undone one. */
function heirOf(
  undone: number | null,
  others: readonly MoveGroups[],
  base: GroupColumns | null,
): MoveGroups | undefined {
  return (
    others.find(({ group }) => group.id === undone) ??
    others
      .filter(({ group }) => isDown(group, base))
      .toSorted((a, b) => b.group.priority - a.group.priority)[0]
  );
}
