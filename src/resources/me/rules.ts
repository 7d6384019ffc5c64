import type { SessionPrincipal } from '../../auth/principals.ts';
import { ownedBy } from '../orders/queries.ts';
import { forAffiliate } from '../orders/rules.ts';
import type { Order } from '../orders/schemas.ts';
import type { OwnOrderQuery } from './schemas.ts';

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
