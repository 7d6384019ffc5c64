import type { SessionPrincipal } from '../../auth/principals.ts';
import { ownedBy } from '../orders/queries.ts';
import { forAffiliate } from '../orders/rules.ts';
import type { Order } from '../orders/schemas.ts';
import { sessionContext } from '../sessions/rules.ts';
import { type UserRow, toUser } from '../users/rules.ts';
import type { OwnOrderQuery } from './schemas.ts';

/** The body of `GET /me`: who the token speaks for, and the session behind it. */
export function profileOf(row: UserRow, principal: SessionPrincipal) {
  const { id, display_name, email, phone, bank_info, ...user } = toUser(row);
  return {
    success: true as const,
    data: {
      id,
      effective_user_id: id,
      display_name,
      email,
      phone,
      bank: bank_info,
      can_affiliate: user.can_affiliate,
      can_affiliate_coupon: user.can_affiliate_coupon,
      is_admin: user.is_admin,
    },
    session: sessionContext(principal),
  };
}

/** Which orders a session sees from a viewpoint: a condition, none for all of them. */
export function visibleOrders(
  scope: OwnOrderQuery['scope'],
  { userId, isAdmin }: SessionPrincipal,
) {
  if (scope === 'all') return isAdmin ? undefined : ('forbidden' as const);
  if (scope !== undefined) return ownedBy(userId, scope);
  return isAdmin ? undefined : ownedBy(userId, 'both');
}

/** An order as this session may see it: an affiliate who isn't the buyer sees less of the buyer. */
export const seenBy = ({ userId, isAdmin }: SessionPrincipal, order: Order): Order =>
  isAdmin || order.user_id === userId ? order : forAffiliate(order);
