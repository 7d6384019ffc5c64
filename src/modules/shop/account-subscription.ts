import * as z from 'zod';
import { endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { nameUpTo } from '../../lib/schemas.ts';
import { toSubscription } from '../../domain/subscription/rules.ts';
import { renewalOffer } from '../../domain/checkout/renewal.ts';
import { loadGateways } from '../../providers/payments/load.ts';
import { findOrdersOfChain, firstOrderOfSubscription } from '../../queries/order-chains.ts';
import { findStoredOrder } from '../../queries/orders.ts';
import { findProduct } from '../../queries/products.ts';
import { productOfSubscription } from '../../queries/purchases.ts';
import { findSettings } from '../../queries/settings.ts';
import {
  findChanges,
  findSignup,
  findSubscriptionById,
  findTermOrders,
} from '../../queries/subscriptions.ts';
import { answerMember, memberPage } from './account-member.ts';

export const showSubscription = endpoint({
  ...memberPage,
  id: 'shop.accountSubscription',
  route: ['GET /account/subscriptions/:id'],
  params: IdParams,
  query: z.object({ said: nameUpTo(10).optional() }),
  summary: 'Show a member their subscription, and the effect of paying or cancelling it',
}).handle(async ({ params: { id }, query: { said }, ...context }) =>
  answerMember(context, {
    load: (member) => ({
      found: findSubscriptionById(id, member),
      signup: findSignup(id),
      orders: findOrdersOfChain(firstOrderOfSubscription(id)),
      first: findStoredOrder(firstOrderOfSubscription(id)),
      terms: findTermOrders(firstOrderOfSubscription(id)),
      changes: findChanges(firstOrderOfSubscription(id)),
      product: findProduct(productOfSubscription(id)),
      settings: findSettings(),
    }),
    view: async (
      {
        found: [row],
        signup: [fee],
        first: [first],
        orders,
        terms,
        changes,
        product: [product],
        settings: [settings],
      },
      member,
    ) => {
      if (!row || !fee || !first || !settings) return undefined;
      // The page says why it can't be renewed if only the product is missing.
      const kept = { ...row, product: { ...row.product, deleted_at: null } };
      const subscription = toSubscription(kept, context.now.toISOString());
      const redirects = await loadGateways(context.config);
      const offer =
        product &&
        renewalOffer({ ...row, ...fee, terms, changes }, product, first.order, {
          ...{ settings, redirects, now: context.now },
        });
      const { subscriptionPage } = await import('./view/account/subscription.tsx');
      const mayCancel = settings.members_cancel;
      return (store) =>
        subscriptionPage(store, { member, subscription, orders, offer, mayCancel, said });
    },
  }),
);
