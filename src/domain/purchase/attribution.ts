import type { OrderAttribution } from '../../schema/orders.ts';
import type { SettingsRow } from '../../schema/platform.ts';
import type { ProductRow } from '../product/rules.ts';
import { type Person, canAffiliate } from '../user/rules.ts';

/** `sub` is empty without a campaign. */
type OrderLink = { readonly target: string; readonly sub: string };

export interface Candidates {
  /** Undefined if still unknown. */
  readonly buyer: Person | undefined;
  readonly couponOwner: Person | undefined;
  readonly orderAffiliate: Person | undefined;
  /** The affiliate of the link that brought the buyer. */
  readonly linkAffiliate: Person | undefined;
  readonly link: OrderLink | undefined;
  readonly sponsor: Person | undefined;
  readonly sponsorFirst: boolean;
  readonly programme: Pick<ProductRow['product']['affiliate'], 'enabled' | 'require_purchase'>;
  /** Ids of buyers of the product. */
  readonly customers: readonly number[];
}

/**
 * Chooses the affiliate of an order: the owner of its coupon, the affiliate that the order names, the affiliate of the
 * link, or the buyer's sponsor. If the store keeps affiliates permanently, the sponsor comes first. An affiliate who
 * may not earn is kept with the reason.
 */
export function attribute(candidates: Candidates): OrderAttribution | null {
  const { couponOwner, orderAffiliate, linkAffiliate, link, sponsor, sponsorFirst } = candidates;
  const sponsored = { person: sponsor, source: 'sponsor' as const };
  const others = [
    { person: couponOwner, source: 'coupon' as const },
    { person: orderAffiliate, source: 'explicit' as const },
    { person: linkAffiliate, source: 'link' as const },
  ];
  const chosen = (sponsorFirst ? [sponsored, ...others] : [...others, sponsored]).find(
    ({ person }) => person,
  );
  if (!chosen?.person) return null;
  const { person, source } = chosen;
  const rejected_reason = rejection(person, candidates);
  if (rejected_reason) {
    return { affiliate_id: person.id, source: 'none', rejected_reason, target: null, sub: null };
  }
  const { target = null, sub = null } = (source === 'link' && link) || {};
  return { affiliate_id: person.id, source, target, sub: sub || null };
}

function rejection(affiliate: Person, { buyer, programme, customers }: Candidates) {
  if (affiliate.id === buyer?.id) return 'self';
  if (!programme.enabled) return 'disabled';
  const mayPromote = !programme.require_purchase || customers.includes(affiliate.id);
  return mayPromote && canAffiliate(affiliate) ? undefined : 'not-eligible';
}

export interface PurchaseCandidates extends Omit<Candidates, 'sponsorFirst' | 'programme'> {
  readonly settings: SettingsRow;
}

/** The coupon's owner counts only if the coupon applies. */
export const attributePurchase = (
  { couponOwner, settings, ...people }: PurchaseCandidates,
  { affiliate }: ProductRow['product'],
  withCoupon: boolean,
): OrderAttribution | null =>
  attribute({
    ...people,
    couponOwner: withCoupon ? couponOwner : undefined,
    sponsorFirst: settings.permanent_affiliate,
    programme: affiliate,
  });

/** Null if nobody earns. */
export function earnerOf(
  { couponOwner, orderAffiliate, linkAffiliate, sponsor }: PurchaseCandidates,
  attribution: OrderAttribution | null,
): Person | null {
  if (!attribution || attribution.rejected_reason) return null;
  const { affiliate_id } = attribution;
  return (
    [couponOwner, orderAffiliate, linkAffiliate, sponsor].find(
      (person) => person?.id === affiliate_id,
    ) ?? null
  );
}
