import type { Argument, Write } from '../kernel/database/statements.ts';
import type { DomainEvent } from '../kernel/events/define.ts';
import { type Refusal, isRefusal, refuse } from '../kernel/errors/errors.ts';
import type { Creation } from '../domain/purchase/create.ts';
import { type LoadedReactions, type ReactionCode, loadReactions, react } from './index.ts';
import { orderEvents } from '../domain/order/events.ts';
import { hideOrder, holdReopened, insertOrder, saveOrder } from '../queries/order-writes.ts';
import { toOrder } from '../domain/order/rules.ts';
import type { OrderColumns } from '../schema/orders.ts';
import { isReopening, statusGroup } from '../domain/order/transitions.ts';
import {
  type StatusChange,
  type ReceivedMoney,
  decidePayment,
  decideRemoval,
  decideStatus,
  leavesOtherMoney,
} from '../domain/purchase/update.ts';
import type { LoadedUpdate, Update, UpdateRequest } from '../domain/purchase/update-state.ts';
import { loadUpdate, onlyCandidate } from '../queries/purchases.ts';

/** The fields of an update that determine which rows are loaded. */
interface LoadedFor {
  readonly affiliate_id?: number | null | undefined;
  readonly quantity?: Argument<number> | undefined;
}

export const loadOrderUpdate = (
  id: Argument<number>,
  { affiliate_id, quantity }: LoadedFor = {},
) => ({
  ...loadUpdate(id, affiliate_id),
  reactions: loadReactions({
    kind: 'existing',
    id,
    quantity,
    candidates: affiliate_id ? onlyCandidate(affiliate_id) : undefined,
  }),
});

export interface LoadedFollowing {
  readonly reactions: LoadedReactions;
}

interface Plan<C extends string> {
  readonly write: readonly Write<C | ReactionCode>[];
  readonly events: readonly DomainEvent[];
}

export function planUpdate(
  updated: Update,
  loaded: LoadedFollowing,
): Plan<'out_of_stock'> | Refusal<ReactionCode> {
  if (!updated.change) return { write: [], events: [] };
  const following = react(updated.change, loaded.reactions);
  if (isRefusal(following)) return following;
  const events = orderEvents(toOrder(updated.row), updated.change.before?.status ?? null);
  return {
    write: [...saveOrder(updated), ...following.write],
    events: [...events, ...following.events],
  };
}

/** Like `planUpdate`, but if the change reopens the order, the limits for new orders apply as well. */
export function planMove(
  updated: Update,
  loaded: LoadedFollowing,
): Plan<'out_of_stock' | 'purchase_too_soon' | 'tryout_used'> | Refusal<ReactionCode> {
  const plan = planUpdate(updated, loaded);
  const { change } = updated;
  return isRefusal(plan) || !change?.before || !isReopening(change.before, change.after)
    ? plan
    : { ...plan, write: holdReopened(change, plan.write) };
}

export function planStatus(
  loaded: LoadedUpdate & LoadedFollowing,
  change: StatusChange,
  request: UpdateRequest,
) {
  const updated = decideStatus(loaded, change, request);
  return isRefusal(updated) ? updated : planUpdate(updated, loaded);
}

export function planPayment(
  loaded: LoadedUpdate & LoadedFollowing,
  money: ReceivedMoney,
  request: UpdateRequest,
) {
  const updated = decidePayment(loaded, money, request);
  return isRefusal(updated) ? updated : planUpdate(updated, loaded);
}

/** Hides an order from every list, and reverses its effects unless it is closed. */
export function planHiding(
  order: OrderColumns,
  loaded: LoadedUpdate & LoadedFollowing,
  maySendMoney: boolean,
  request: UpdateRequest,
):
  | Plan<'out_of_stock'>
  | Refusal<
      | 'rest_not_found'
      | 'rest_conflict'
      | 'out_of_stock'
      | 'order_has_payment'
      | 'order_payment_reversed'
      | ReactionCode
    > {
  if (statusGroup(order.status) === 'closed') {
    return { write: [hideOrder(order, request.now)], events: [] };
  }
  const removed = decideRemoval(loaded, maySendMoney, request);
  if (isRefusal(removed)) return removed;
  return leavesOtherMoney(removed, loaded)
    ? refuse('order_payment_reversed')
    : planUpdate(removed, loaded);
}

export function planCreation(
  created: Creation,
  loaded: LoadedFollowing,
): Plan<'out_of_stock' | 'purchase_too_soon'> | Refusal<ReactionCode> {
  const following = react(created.change, loaded.reactions);
  if (isRefusal(following)) return following;
  const events = orderEvents(toOrder(created.row), null);
  return {
    write: [...insertOrder(created), ...following.write],
    events: [...events, ...following.events],
  };
}
