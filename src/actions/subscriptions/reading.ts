import { findOrdersOfChain, firstOrderOfSubscription } from '../../queries/order-chains.ts';
import { findChanges, findSubscriptionById, findTerms } from '../../queries/subscriptions.ts';
import type { Results } from '../../kernel/database/statements.ts';

/** @param user_id limits the result to one member */
export const loadChain = (id: number, user_id?: number) => ({
  found: findSubscriptionById(id, user_id),
  orders: findOrdersOfChain(firstOrderOfSubscription(id)),
  terms: findTerms(firstOrderOfSubscription(id)),
  changes: findChanges(firstOrderOfSubscription(id)),
});

export const chainShown = ({
  orders,
  terms,
  changes,
}: Pick<Results<ReturnType<typeof loadChain>>, 'orders' | 'terms' | 'changes'>) => ({
  orders,
  terms,
  pauses: changes.filter(({ kind }) => kind === 'pause'),
});
