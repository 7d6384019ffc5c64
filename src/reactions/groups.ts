import { type Results, unsent } from '../kernel/database/statements.ts';
import { type Consequence, reaction } from './reaction.ts';
import { userEvent } from '../domain/user/events.ts';
import { type UserRow, toUser } from '../domain/user/rules.ts';
import { firstOfChain } from '../domain/order/change.ts';
import { isLaterInstalment } from '../domain/order/instalment.ts';
import type { GroupColumns } from '../schema/groups.ts';
import type { SubscriptionColumns } from '../schema/subscriptions.ts';
import {
  type GroupMove,
  type MoveGroups,
  newMove,
  stands,
  undoMoves,
} from '../domain/group/moves.ts';
import {
  deleteMove,
  findGroupOfProduct,
  findMovesOfBuyer,
  type loadGroupOfSubscription,
  sameMoves,
  saveMove,
} from '../queries/groups.ts';
import { inGroup } from '../domain/group/rules.ts';
import { findBuyer, holdUser, moveUser } from '../queries/users.ts';

interface Moved extends Required<Consequence<never>> {
  /** The user's group afterwards. */
  readonly group: GroupColumns | null;
}

/** A subscription before and after a change; undefined if there is none. */
interface Run {
  readonly before: SubscriptionColumns | undefined;
  readonly after: SubscriptionColumns | undefined;
}

/**
 * A completed order gives its buyer a group, once, and never moves them into a lower one. A later instalment of a plan
 * moves nobody, unless it revives the plan, and keeps its buyer in the group. If the order is later cancelled, refunded,
 * deleted or otherwise unpaid, or its subscription is no longer active, the buyer moves back.
 */
export const groups = reaction({
  errors: [],
  load: (target) => ({
    buyer: findBuyer(target),
    group: findGroupOfProduct(target),
    moves: target.kind === 'new' ? unsent(findMovesOfBuyer) : findMovesOfBuyer(target.id),
  }),
  decide: ({ before, after, now }, { buyer: [row], group: [group], moves }, run: Run) => {
    const own = moves.find(({ move }) => move.order_id === after.id);
    const ended = own && !stands(after) ? [own] : [];
    const undone = stopsIn(run) ? ofChain(moves, firstOfChain(after)) : ended;
    if (undone.length > 0) return takenBack(row, undone, moves, now);
    const completed = after.status === 'completed' && before?.status !== 'completed';
    if (!completed || !row || !group || own || !runsAfter(run)) return { write: [] };
    const isInGroup = row.group?.id === group.id;
    if (isLaterInstalment(after) && !isInGroup && !startsIn(run)) return { write: [] };
    const place = { order_id: after.id, user_id: row.user.id };
    return given(row, [newMove(place, group, row.group, moves)], moves, group, now);
  },
});

/**
 * Moves the user of a subscription that a request or its end stopped, or that runs again. Renewals need none of this:
 * their orders give the group.
 */
export function groupsOfSubscription(
  run: Run,
  loaded: Results<ReturnType<typeof loadGroupOfSubscription>>,
  now: Date,
): Moved {
  const {
    user: [row],
    group: [group],
    moves,
    orders,
  } = loaded;
  const held = ofChain(moves, run.after?.first_order_id);
  if (stopsIn(run) && held.length > 0) return takenBack(row, held, moves, now);
  const [first, ...others] = orders;
  if (!row || !group || !first || held.length > 0 || !startsIn(run)) {
    return { write: [], events: [], group: row?.group ?? null };
  }
  const move = newMove(first, group, row.group, moves);
  const kept = others.map((order) => newMove(order, group, group, moves));
  return given(row, [move, ...kept], moves, group, now);
}

const isActive = (subscription: SubscriptionColumns | undefined) =>
  subscription?.status === 'active';

/** True if the change itself stops the subscription: one that stopped in a former version keeps its group. */
const stopsIn = ({ before, after }: Run) =>
  after !== undefined && !isActive(after) && before?.status !== after.status;

const startsIn = ({ before, after }: Run) => !isActive(before) && isActive(after);

const runsAfter = ({ after }: Run) => after === undefined || isActive(after);

const ofChain = (moves: readonly MoveGroups[], id: number | undefined) =>
  moves.filter(({ first_order_id }) => first_order_id === id);

const deleteOne = ({ move }: MoveGroups) => deleteMove(move);

function given(
  row: UserRow,
  [first, ...kept]: readonly [GroupMove, ...GroupMove[]],
  all: readonly MoveGroups[],
  group: GroupColumns,
  now: Date,
): Moved {
  const plan = first.moved ? moved(row, group, now) : stayed(row);
  const same = all.length > 0 ? [sameMovesOf(row, all)] : [];
  return { ...plan, write: [...plan.write, ...same, ...[first, ...kept].map(saveMove)] };
}

const sameMovesOf = ({ user }: UserRow, all: readonly MoveGroups[]) =>
  sameMoves(
    user.id,
    all.map(({ move }) => move),
  );

/** Undoes the moves of orders. */
function takenBack(
  row: UserRow | undefined,
  undone: readonly MoveGroups[],
  all: readonly MoveGroups[],
  now: Date,
): Moved {
  if (!row) return { write: undone.map(deleteOne), events: [], group: null };
  const { group_id } = row.user;
  const others = all.filter((one) => !undone.includes(one));
  const { to, changed } = undoMoves(undone, others, group_id);
  const plan = to === undefined ? stayed(row) : moved(row, to, now);
  return {
    ...plan,
    write: [
      ...plan.write,
      sameMovesOf(row, all),
      ...undone.map(deleteOne),
      ...changed.map(saveMove),
    ],
  };
}

const stayed = (row: UserRow): Moved => ({
  write: [holdUser(row.user)],
  events: [],
  group: row.group,
});

const moved = (row: UserRow, group: GroupColumns | null, now: Date): Moved => ({
  group,
  write: [moveUser(row.user, group?.id ?? null, now)],
  events: [userEvent('user.group-updated', toUser(inGroup(row, group, now)))],
});
