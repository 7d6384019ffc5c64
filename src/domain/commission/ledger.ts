import { percentOf, shareOf, taxWithin } from '../../lib/money.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { CommissionColumns } from '../../schema/commissions.ts';

/** The fields of an order that its commissions are worked out from. */
export type Earnings = Pick<
  OrderColumns,
  | 'subtotal'
  | 'variant_total'
  | 'discount_total'
  | 'adjustment_total'
  | 'grand_total'
  | 'refunded_total'
  | 'quantity'
> & { readonly agreed: Pick<OrderColumns['agreed'], 'tax'> };

/** The terms of a tier, as its row of kind `sale` keeps them. */
export type Terms = Pick<
  CommissionColumns,
  'tier' | 'rate_type' | 'rate' | 'rate_source' | 'commission' | 'base_amount'
>;

/**
 * Returns the amount that commissions are a share of: goods after discounts and an override of the total, without the
 * tax that these contain. Shipping, added tax, fees and the unique code are never part of it.
 */
export function commissionBase(order: Earnings): number {
  const { subtotal, variant_total, discount_total, adjustment_total, agreed } = order;
  const goods = Math.max(0, subtotal + variant_total - discount_total + adjustment_total);
  const { enabled, inclusive, rate } = agreed.tax;
  return enabled && inclusive ? goods - taxWithin(goods, rate) : goods;
}

/** Returns the base less its share of the refunds so far. */
export const keptBase = (base: number, { refunded_total, grand_total }: Earnings): number =>
  base - shareOf(base, refunded_total, grand_total);

/** The earnings of a tier: in full, and after refunds. */
export interface TierEarnings {
  readonly full: number;
  readonly kept: number;
}

/**
 * Works out the earnings of each tier of an order. All tiers together never get more than the base, nor more than
 * refunds left of it: the excess is cut from the highest tiers. A percentage is taken of the base after refunds;
 * fixed amounts, amounts that were cut and those set by hand shrink in proportion.
 */
export function earnedByTier(tiers: readonly Terms[], order: Earnings): Map<number, TierEarnings> {
  const base = commissionBase(order);
  const kept = keptBase(base, order);
  const left = { full: base, kept };
  const earned = new Map<number, TierEarnings>();
  for (const terms of tiers.toSorted((a, b) => a.tier - b.tier)) {
    const wanted = wantedOf(terms, base, order.quantity);
    const full = Math.min(wanted, left.full);
    const proportional = isPercentage(terms) && full === wanted;
    const ofKept = proportional ? percentOf(kept, terms.rate) : shareOf(full, kept, base);
    const amount = { full, kept: Math.min(ofKept, left.kept) };
    left.full -= amount.full;
    left.kept -= amount.kept;
    earned.set(terms.tier, amount);
  }
  return earned;
}

const isPercentage = ({ rate_type, rate_source }: Terms) =>
  rate_type === 'percentage' && rate_source !== 'manual';

/** Returns the amount that a tier's terms ask for, even if there is not enough. */
function wantedOf(terms: Terms, base: number, quantity: number): number {
  // A figure set by hand is of the base it was set for.
  if (terms.rate_source === 'manual') return shareOf(terms.commission, base, terms.base_amount);
  return isPercentage(terms) ? percentOf(base, terms.rate) : terms.rate * quantity;
}
