import { unsent } from '../kernel/database/statements.ts';
import { type Consequence, reaction } from './reaction.ts';
import { userEvent } from '../domain/user/events.ts';
import { type UserRow, toUser } from '../domain/user/rules.ts';
import { isLaterInstalment } from '../domain/order/instalment.ts';
import type { GroupColumns } from '../schema/groups.ts';
import {
  type GroupMove,
  type MoveGroups,
  newMove,
  stands,
  undoMove,
} from '../domain/group/moves.ts';
import {
  deleteMove,
  findGroupOfProduct,
  findMovesOfBuyer,
  sameMoves,
  saveMove,
} from '../queries/groups.ts';
import { inGroup } from '../domain/group/rules.ts';
import { findBuyer, holdUser, moveUser } from '../queries/users.ts';

/**
 * A completed order gives its buyer a group, once, and never moves them into a lower one. A later instalment of a plan
 * moves nobody, and keeps its buyer in the group. If the order is later cancelled, refunded, deleted or otherwise unpaid,
 * the buyer moves back.
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
      return row ? takenBack(row, own, moves, now) : { write: [deleteMove(own.move)] };
    }
    const completed = after.status === 'completed' && before?.status !== 'completed';
    if (!completed || !row || !group || own) return { write: [] };
    if (isLaterInstalment(after) && row.group?.id !== group.id) return { write: [] };
    const place = { order_id: after.id, user_id: row.user.id };
    return given(row, newMove(place, group, row.group, moves), group, now);
  },
});

function given(row: UserRow, move: GroupMove, group: GroupColumns, now: Date): Consequence<never> {
  const { write, events } = move.moved ? moved(row, group, now) : stayed(row);
  return { write: [...write, saveMove(move)], events };
}

/** Undoes the move of an order. */
function takenBack(
  row: UserRow,
  own: MoveGroups,
  all: readonly MoveGroups[],
  now: Date,
): Consequence<never> {
  const { id, group_id } = row.user;
  const others = all.filter(({ move }) => move.order_id !== own.move.order_id);
  const { to, changed } = undoMove(own, others, group_id);
  const { write, events } = to === undefined ? stayed(row) : moved(row, to, now);
  const before = all.map(({ move }) => move);
  return {
    write: [...write, sameMoves(id, before), deleteMove(own.move), ...changed.map(saveMove)],
    events,
  };
}

const stayed = (row: UserRow): Required<Consequence<never>> => ({
  write: [holdUser(row.user)],
  events: [],
});

const moved = (
  row: UserRow,
  group: GroupColumns | null,
  now: Date,
): Required<Consequence<never>> => ({
  write: [moveUser(row.user, group?.id ?? null, now)],
  events: [userEvent('user.group-updated', toUser(inGroup(row, group, now)))],
});
