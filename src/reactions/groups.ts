import { unsent } from '../kernel/database/statements.ts';
import { type Consequence, reaction } from './reaction.ts';
import { userEvent } from '../domain/user/events.ts';
import { type UserRow, toUser } from '../domain/user/rules.ts';
import { isLaterInstalment } from '../domain/order/instalment.ts';
import type { GroupColumns } from '../schema/groups.ts';
import { type GroupMove, stands, undoMove } from '../domain/group/moves.ts';
import {
  deleteMove,
  findGroupOfProduct,
  findMovesOfBuyer,
  sameMoves,
  saveMove,
} from '../queries/groups.ts';
import { inGroup, isDown } from '../domain/group/rules.ts';
import { findBuyer, holdUser, moveUser } from '../queries/users.ts';

/**
 * A completed order can move its buyer into another group, never into a lower one. If the order is later cancelled,
 * refunded, deleted or otherwise unpaid, the buyer moves back.
 */
export const groups = reaction({
  errors: [],
  load: (target) => ({
    buyer: findBuyer(target),
    group: findGroupOfProduct(target),
    moves: target.kind === 'new' ? unsent(findMovesOfBuyer) : findMovesOfBuyer(target.id),
  }),
  decide: ({ before, after, now }, { buyer: [row], group: [group], moves }) => {
    const own = moves.find(({ move }) => move.order_id === after.id);
    if (own && !stands(after)) {
      const all = moves.map(({ move }) => move);
      return row ? takenBack(row, own, all, now) : { write: [deleteMove(own.move)] };
    }
    const completed =
      after.status === 'completed' && before?.status !== 'completed' && !isLaterInstalment(after);
    return completed && row && group ? given(row, group, own?.move, after.id, now) : { write: [] };
  },
});

function given(
  row: UserRow,
  group: GroupColumns,
  own: GroupMove | undefined,
  order_id: number,
  now: Date,
): Consequence<never> {
  const { id: user_id, group_id: from_group_id } = row.user;
  const move = { order_id, user_id, group_id: group.id };
  if (row.group?.id === group.id) {
    if (own?.group_id === group.id) return { write: [] };
    return {
      write: [holdUser(row.user), saveMove({ ...move, moved: false, from_group_id: null })],
    };
  }
  if (isDown(row.group, group)) return { write: [] };
  const { write, events } = moved(row, group, now);
  return { write: [...write, saveMove({ ...move, moved: true, from_group_id })], events };
}

/** Undoes the move of an order. */
function takenBack(
  row: UserRow,
  { move, origin }: { move: GroupMove; origin: GroupColumns | null },
  all: readonly GroupMove[],
  now: Date,
): Consequence<never> {
  const others = all.filter(({ order_id }) => order_id !== move.order_id);
  const { back, changed } = undoMove(move, others, row.user.group_id);
  const { write, events } = back
    ? moved(row, origin, now)
    : { write: [holdUser(row.user)], events: [] };
  return {
    write: [...write, sameMoves(move.user_id, all), deleteMove(move), ...changed.map(saveMove)],
    events,
  };
}

const moved = (
  row: UserRow,
  group: GroupColumns | null,
  now: Date,
): Required<Consequence<never>> => ({
  write: [moveUser(row.user, group?.id ?? null, now)],
  events: [userEvent('user.group-updated', toUser(inGroup(row, group, now)))],
});
