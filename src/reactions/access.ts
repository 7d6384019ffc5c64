import { sendIf } from '../kernel/database/statements.ts';
import { hasChain } from '../domain/order/change.ts';
import { reaction } from './reaction.ts';
import { isFirstOnly } from '../domain/subscription/offer.ts';
import { chainAfter, chainEvents } from '../domain/subscription/chain.ts';
import {
  findSubscription,
  findTerms,
  holdFirstOrder,
  saveChain,
} from '../queries/subscriptions.ts';
import { accessEvents } from '../domain/access/events.ts';
import { grantAfter } from '../domain/access/order-grant.ts';
import {
  chainOf,
  drawFollowingIds,
  findGrantsBesideOrder,
  insertGrants,
  saveGrant,
} from '../queries/access.ts';

/**
 * What an order gives its buyer: access from when it is paid until it is given back, and with the
 * orders of a subscription the time they buy. Both are decided together, since such access ends with
 * its subscription.
 */
export const access = reaction({
  errors: [],
  load: (target) => ({
    subscription: sendIf(hasChain(target), () => findSubscription(chainOf(target))),
    terms: sendIf(hasChain(target), () => findTerms(chainOf(target))),
    grants: findGrantsBesideOrder(target),
    ids: drawFollowingIds(target),
  }),
  decide: (change, { subscription: [subscription], terms, grants, ids }) => {
    const { before, after, product, settings, now } = change;
    const [drawn] = ids.rows;
    const chain = { subscription, terms };
    const changed =
      after.type === 'regular'
        ? undefined
        : chainAfter(change, chain, Number(drawn?.subscription_id));
    const first_order_id = after.order_parent_id ?? after.id;
    const held = grants.find(({ order_id }) => order_id === first_order_id);
    const grant = grantAfter(change, held, changed, Number(drawn?.grant_id));
    const row = grant && { grant, product, timezone: settings.timezone };
    const others = grants.filter((other) => other !== held);
    return {
      write: [
        ...(before === null && isFirstOnly(after, product)
          ? holdFirstOrder(after, 'rest_conflict')
          : []),
        ...(changed ? saveChain(chain, changed) : []),
        ...(!grant || grant === held ? [] : held ? [saveGrant(grant)] : insertGrants([grant])),
      ],
      events: [
        ...(changed ? chainEvents(change, subscription, changed) : []),
        ...(row ? accessEvents(held, row, others, now.toISOString()) : []),
      ],
    };
  },
});
