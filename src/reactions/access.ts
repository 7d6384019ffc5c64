import { reaction } from './reaction.ts';
import { sendIf } from '../kernel/database/statements.ts';
import { firstOfChain, hasChain } from '../domain/order/change.ts';
import { accessEvents } from '../domain/access/events.ts';
import { grantAfter } from '../domain/access/order-grant.ts';
import {
  addGrant,
  drawGrantId,
  findGrantsBesideOrder,
  saveGrantBeside,
} from '../queries/access.ts';
import { type ChangedChain } from '../domain/subscription/chain.ts';

/**
 * An order gives access from its payment until its refund. The orders of a subscription share one grant, which ends
 * with it.
 */
export const access = reaction({
  errors: [],
  load: (target) => ({
    // A first order takes no grant away, so the buyer's other grants don't matter.
    grants: sendIf(hasChain(target), () => findGrantsBesideOrder(target)),
    id: drawGrantId(target),
  }),
  decide: (change, { grants, id }, chain: ChangedChain | undefined) => {
    const { after, product, settings, now } = change;
    const held = grants.find(({ order_id }) => order_id === firstOfChain(after));
    const grant = grantAfter(change, held, chain, Number(id.rows[0]?.id));
    if (!grant || grant === held) return { write: [] };
    const row = { grant, product, timezone: settings.timezone };
    return {
      write: held ? saveGrantBeside(grant, grants) : addGrant(grant),
      events: accessEvents(held, row, grants, now.toISOString()),
    };
  },
});
