import { reaction } from './reaction.ts';
import { userEvent } from '../domain/user/events.ts';
import { type UserRow, toUser, updatedUser } from '../domain/user/rules.ts';
import { findNewBuyer, giveSponsor, keepNewBuyer } from '../queries/new-buyers.ts';

/**
 * The first payment makes the account permanent that the shop created for the buyer. The order's affiliate becomes the
 * buyer's sponsor, unless the buyer has a sponsor or is one. Before a payment, anybody could order for other people's
 * addresses and become their sponsor.
 */
export const newBuyers = reaction({
  errors: [],
  load: (target) => ({ found: findNewBuyer(target) }),
  decide: ({ after, settings, now }, { found }, row: UserRow | undefined) => {
    const [buyer] = found;
    if (!buyer || !row || after.paid_at === null) return { write: [] };
    const { id, affiliate_id } = row.user;
    const kept = keepNewBuyer(id);
    const sponsor = settings.permanent_affiliate ? after.affiliate_id : null;
    if (sponsor === null || affiliate_id !== null || buyer.sponsors > 0) return { write: [kept] };
    const sponsored = updatedUser(row, { affiliate_id: sponsor }, now);
    return {
      write: [kept, ...giveSponsor(id, sponsor, now)],
      events: [userEvent('user.updated', toUser(sponsored))],
    };
  },
});
