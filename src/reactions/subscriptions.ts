import { type Results, sendIf } from '../kernel/database/statements.ts';
import { type OrderChange, type OrderTarget, hasChain } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { type ChangedChain, chainAfter, chainEvents } from '../domain/subscription/chain.ts';
import { isFirstOnly } from '../domain/subscription/offer.ts';
import {
  drawSubscriptionId,
  findSubscription,
  findTerms,
  saveChain,
} from '../queries/subscriptions.ts';
import { chainOf } from '../queries/order-chains.ts';
import { holdFirstOfProduct } from '../queries/order-guards.ts';

const load = (target: OrderTarget) => ({
  subscription: sendIf(hasChain(target), () => findSubscription(chainOf(target))),
  terms: sendIf(hasChain(target), () => findTerms(chainOf(target))),
  id: drawSubscriptionId(target),
});

/** Works out the chain of an order after its change; undefined if the order has none. */
export function changedChain(
  change: OrderChange,
  { subscription: [subscription], terms, id }: Results<ReturnType<typeof load>>,
): ChangedChain | undefined {
  if (change.after.type === 'regular') return undefined;
  return chainAfter(change, { subscription, terms }, Number(id.rows[0]?.id));
}

/**
 * Each order of a subscription adds the time it buys when it is completed, and takes it away when it
 * is given back. A trial for newcomers is held to being the buyer's first order.
 */
export const subscriptions = reaction({
  errors: [],
  load,
  decide: (change, loaded) => {
    const { before, after, product } = change;
    const [subscription] = loaded.subscription;
    const changed = changedChain(change, loaded);
    if (!changed) return { write: [] };
    return {
      write: [
        ...(before === null && isFirstOnly(after, product)
          ? holdFirstOfProduct(after, 'rest_conflict')
          : []),
        ...saveChain({ subscription, terms: loaded.terms }, changed),
      ],
      events: chainEvents(change, subscription, changed),
    };
  },
});
