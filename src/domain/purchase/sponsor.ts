import type { OrderColumns } from '../../schema/orders.ts';
import { stands } from '../group/moves.ts';
import type { OrderChange } from '../order/change.ts';

/** A buyer's sponsor, and the order that gives it. */
export type OrderSponsor =
  | { readonly order_id: number; readonly affiliate_id: number }
  | { readonly order_id: null; readonly affiliate_id: null };

export interface SponsorState {
  /** The buyer's sponsor. */
  readonly affiliate_id: number | null;
  readonly isSponsor: boolean;
  /** The order that gave the sponsor, or null if none does; undefined before the first payment. */
  readonly order_id: number | null | undefined;
  /** The first other paid order that gives a sponsor. */
  readonly next: OrderSponsor | null;
}

const nobody = { order_id: null, affiliate_id: null };

/**
 * The affiliate whom a paid order makes the buyer's sponsor; null if none. An order that counts for the buyer's sponsor
 * gives none of its own.
 */
const sponsorBy = (order: OrderColumns | null): number | null =>
  order && order.paid_at !== null && stands(order) && order.attribution?.source !== 'sponsor'
    ? order.affiliate_id
    : null;

/**
 * Decides the sponsor of a buyer after a decision on a risk; undefined if it stays.
 * @param counted the buyer's orders that it makes count for their affiliates, or stop counting
 * @param state with a `next` order outside the risk
 */
export function sponsorAfterDecision(
  counted: readonly OrderColumns[],
  { affiliate_id, isSponsor, order_id, next }: SponsorState,
  isPermanent: boolean,
): OrderSponsor | undefined {
  const isLost = counted.some((order) => order.id === order_id && sponsorBy(order) === null);
  const isOpen = order_id === null && affiliate_id === null;
  if (!isLost && !isOpen) return undefined;
  const [own] = counted
    .flatMap((order) => {
      const sponsor = sponsorBy(order);
      return sponsor === null ? [] : [{ order, sponsor }];
    })
    .toSorted((a, b) => (a.order.paid_at ?? '').localeCompare(b.order.paid_at ?? ''));
  const given = own ? { order_id: own.order.id, affiliate_id: own.sponsor } : next;
  const after = (isPermanent && !isSponsor && given) || nobody;
  return after.order_id === order_id ? undefined : after;
}

/** Tells if an order starts or stops giving its buyer a sponsor, or gives another one. */
export const changesSponsor = ({ before, after }: OrderChange): boolean =>
  sponsorBy(before) !== sponsorBy(after);

/**
 * Decides the sponsor of a new buyer after a change of an order; undefined if it stays. The first payment gives it. If
 * its order no longer gives it, the next order by payment does.
 */
export function sponsorAfter(
  change: OrderChange,
  { affiliate_id, isSponsor, order_id, next }: SponsorState,
): OrderSponsor | undefined {
  const { after, settings } = change;
  const own = sponsorBy(after);
  const given = own === null ? null : { order_id: after.id, affiliate_id: own };
  const mayGive = settings.permanent_affiliate && !isSponsor;
  if (order_id === after.id) {
    return own === affiliate_id ? undefined : (mayGive && (given ?? next)) || nobody;
  }
  const isOpen = typeof order_id !== 'number' && affiliate_id === null;
  return isOpen && mayGive && given && changesSponsor(change) ? given : undefined;
}
