import { type Results, sendIf } from '../kernel/database/statements.ts';
import { type OrderChange, type OrderTarget, hasChain } from '../domain/order/change.ts';
import { isReopening } from '../domain/order/transitions.ts';
import { stateChanged } from '../domain/user/events.ts';
import { reaction } from './reaction.ts';
import { type ChangedChain, chainAfter, chainEvents } from '../domain/subscription/chain.ts';
import { isFirstOnly, refusedTerm } from '../domain/subscription/offer.ts';
import { drawSubscriptionId, holdChain, saveChain } from '../queries/subscription-writes.ts';
import { findChanges, findSubscription, findTermOrders } from '../queries/subscriptions.ts';
import { chainOf } from '../queries/order-chains.ts';
import { holdFirstOfProduct } from '../queries/order-guards.ts';

const load = (target: OrderTarget) => ({
  subscription: sendIf(hasChain(target), () => findSubscription(chainOf(target))),
  terms: sendIf(hasChain(target), () => findTermOrders(chainOf(target))),
  changes: sendIf(hasChain(target), () => findChanges(chainOf(target))),
  id: drawSubscriptionId(target),
});

/** The chain of an order after its change; undefined if the order has none. */
export function changedChain(
  change: OrderChange,
  { subscription: [subscription], terms, changes, id }: Results<ReturnType<typeof load>>,
): ChangedChain | undefined {
  if (change.after.type === 'regular') return undefined;
  return chainAfter(change, { subscription, terms, changes }, Number(id.rows[0]?.id));
}

/** True if the order is placed as a renewal, or reopened. */
const isTaken = ({ before, after }: OrderChange) =>
  before === null ? after.order_parent_id !== null : isReopening(before, after);

/**
 * A completed order adds its term to the subscription, and a refund removes it. A trial for newcomers must be the
 * buyer's first order.
 */
export const subscriptions = reaction({
  errors: ['plan_complete', 'subscription_not_renewable'],
  load,
  decide: (change, loaded) => {
    const { before, after, product } = change;
    const [subscription] = loaded.subscription;
    const changed = changedChain(change, loaded);
    if (!changed) return { write: [] };
    const refused =
      isTaken(change) && subscription && refusedTerm(subscription, after.order_parent_id, change);
    if (refused) return refused;
    // A new order is decided again, without the fee.
    const signedUp = before === null ? 'rest_conflict' : 'subscription_not_renewable';
    return {
      write: [
        ...(before === null && isFirstOnly(after, product)
          ? holdFirstOfProduct(after, 'rest_conflict')
          : []),
        ...saveChain({ ...loaded, subscription }, changed),
        ...(isTaken(change) && subscription
          ? holdChain(after, subscription, changed, signedUp)
          : []),
      ],
      events: [
        ...chainEvents(change, subscription, changed),
        ...(changed.subscription === subscription
          ? []
          : [stateChanged(after.user_id, 'subscriptions')]),
      ],
    };
  },
});
