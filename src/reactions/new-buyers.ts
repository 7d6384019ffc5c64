import type { SQL } from 'drizzle-orm';
import { type Consequence, reaction } from './reaction.ts';
import {
  type OrderSponsor,
  type SponsorState,
  changesSponsor,
  sponsorAfter,
} from '../domain/purchase/sponsor.ts';
import { userEvent } from '../domain/user/events.ts';
import { type UserRow, toUser, updatedUser } from '../domain/user/rules.ts';
import {
  changeSponsor,
  expectNextSponsor,
  findBuyerSponsor,
  findNewBuyer,
  holdBuyerSponsor,
  keepNewBuyer,
} from '../queries/new-buyers.ts';

/**
 * The first payment makes the account permanent that the shop created for the buyer. The order's affiliate becomes the
 * buyer's sponsor, unless the buyer has a sponsor or is one. Before a payment, anybody could order for other people's
 * addresses and become their sponsor. If the order is refunded, cancelled, deleted or otherwise unpaid, they lose the
 * sponsor, and the next paid order gives one. A sponsor that was changed by hand stays.
 */
export const newBuyers = reaction({
  errors: [],
  load: (target) => ({ found: findNewBuyer(target), given: findBuyerSponsor(target) }),
  decide: (change, { found: [buyer], given: [given] }, row: UserRow | undefined) => {
    if (!row || !(buyer ?? given)) return { write: [] };
    const { id, affiliate_id } = row.user;
    const kept = buyer && change.after.paid_at !== null ? [keepNewBuyer(id)] : [];
    const state = {
      affiliate_id,
      isSponsor: (given ?? buyer)?.sponsors === 1,
      order_id: given?.order_id,
      next: given?.next ?? null,
    };
    const sponsor = sponsorAfter(change, state);
    if (sponsor) {
      const isLost = state.order_id === change.after.id && sponsor.order_id !== change.after.id;
      const except = isLost ? change.after.id : undefined;
      const { write, events } = withSponsor(row, state, sponsor, { except, now: change.now });
      return { write: [...kept, ...write], events };
    }
    const isHeld = given && changesSponsor(change);
    return { write: [...kept, ...(isHeld ? [holdBuyerSponsor(id, given.order_id)] : [])] };
  },
});

/** @param except the orders that no longer give the sponsor; undefined if none stopped */
export function withSponsor(
  row: UserRow,
  state: SponsorState,
  sponsor: OrderSponsor,
  { except, now }: { except: number | SQL | undefined; now: Date },
): Required<Consequence<never>> {
  const { id } = row.user;
  const { affiliate_id } = sponsor;
  const changed = toUser(updatedUser(row, { affiliate_id }, now));
  return {
    write: [
      ...changeSponsor(id, state, sponsor, now),
      ...(except === undefined ? [] : [expectNextSponsor(id, except, state.next)]),
    ],
    events: affiliate_id === state.affiliate_id ? [] : [userEvent('user.updated', changed)],
  };
}
