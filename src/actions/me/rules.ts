import type * as z from 'zod';
import type { SessionPrincipal } from '../../kernel/auth/principals.ts';
import type { Place } from '../../domain/affiliate/schemas.ts';
import type { ListedBy } from '../../queries/orders.ts';
import { forAffiliate, historyForAffiliate } from '../../domain/order/rules.ts';
import type { Order, OrderWithHistory } from '../../domain/order/schemas.ts';
import type { OwnOrderQuery } from './schemas.ts';

/** A body of `/me`: the data and the token's user. */
export const asOwn = <D, M extends object>(
  { userId }: SessionPrincipal,
  { data, meta }: { data: D; meta: M },
) => ({
  success: true as const,
  data,
  meta: { ...meta, effective_user_id: userId },
});

/** A list that is sent as one page, or as none if it is empty. */
export function ownList<T>(principal: SessionPrincipal, data: T[]) {
  const total = data.length;
  const per_page = Math.max(total, 1);
  const pagination = { page: 1, per_page, total, total_pages: Math.ceil(total / per_page) };
  return asOwn(principal, { data, meta: { pagination } });
}

/** Reduces the names of other affiliates to initials. */
export const withoutNames = ({ userId }: SessionPrincipal, places: readonly Place[]): Place[] =>
  places.map((place) => (place.id === userId ? place : { ...place, name: maskedName(place.name) }));

/** Masks `Sari Wulan` as `S*** W***`. */
export const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/^(.\p{M}*).*$/su, '$1***'))
    .join(' ');

/** Limits a list to the orders that a session may see. */
export function visibleOrders(
  scope: OwnOrderQuery['scope'],
  { userId, isAdmin }: SessionPrincipal,
): Pick<ListedBy, 'user_id' | 'affiliate_id' | 'member_id'> | 'forbidden' {
  if (scope === 'buyer') return { user_id: userId };
  if (scope === 'affiliate') return { affiliate_id: userId };
  if (isAdmin) return {};
  return scope === 'all' ? 'forbidden' : { member_id: userId };
}

/** Shows less to an affiliate who isn't the buyer. */
export const seenBy = (principal: SessionPrincipal, order: Order): Order =>
  seesAll(principal, order) ? order : forAffiliate(order);

/** Hides the names of staff from members. */
export const historySeenBy = (
  principal: SessionPrincipal,
  order: Pick<Order, 'user_id'>,
  history: z.input<typeof OrderWithHistory>['history'],
) => {
  if (principal.isAdmin) return history;
  const unnamed = history.map((entry) => ({ ...entry, actor_name: null }));
  return seesAll(principal, order) ? unnamed : historyForAffiliate(unnamed);
};

const seesAll = ({ userId, isAdmin }: SessionPrincipal, { user_id }: Pick<Order, 'user_id'>) =>
  isAdmin || user_id === userId;
