import { percentOf, shareOf, taxWithin } from '../../lib/money.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import type { CommissionColumns } from '../../schema/commissions.ts';

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

export type Terms = Pick<
  CommissionColumns,
  'tier' | 'rate_type' | 'rate' | 'rate_source' | 'commission' | 'base_amount'
>;

/**
 * The amount that commissions are shares of: goods after discounts and an overridden total, without contained tax.
 * Shipping, added tax, fees and the unique code are never part of it.
 */
export function commissionBase(order: Earnings): number {
  const { subtotal, variant_total, discount_total, adjustment_total, agreed } = order;
  const goods = Math.max(0, subtotal + variant_total - discount_total + adjustment_total);
  const { enabled, inclusive, rate } = agreed.tax;
  return enabled && inclusive ? goods - taxWithin(goods, rate) : goods;
}

/** The base less its share of the refunds so far. */
export const keptBase = (base: number, { refunded_total, grand_total }: Earnings): number =>
  base - shareOf(base, refunded_total, grand_total);

export interface TierEarnings {
  readonly full: number;
  readonly kept: number;
}

/**
 * Returns the earnings of each tier of an order. All tiers together get at most what refunds left of the base: the excess
 * is cut from the highest tiers. A percentage applies to the base after refunds. Fixed, cut and manual amounts shrink
 * in proportion.
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

/** The amount by the tier's terms, even if there is not enough. */
function wantedOf(terms: Terms, base: number, quantity: number): number {
  // A manual amount applies to the base for which it was set.
  if (terms.rate_source === 'manual') return shareOf(terms.commission, base, terms.base_amount);
  return isPercentage(terms) ? percentOf(base, terms.rate) : terms.rate * quantity;
}
