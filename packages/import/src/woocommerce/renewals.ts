import { because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { amountOf } from '../values.ts';
import type { StagedShop } from './gathered.ts';
import { type Item, itemReader } from './items.ts';
import { itemsOf } from './order.ts';
import type { Plan } from './plan.ts';
import { presentPriceReader } from './present.ts';
import type { Variation } from './variations.ts';

export interface RenewalPrice {
  /** The price of an item without its options; null if it is that of the product. */
  readonly nextPrice: number | null;
  readonly reasons: readonly Reason[];
}

/**
 * Reads the price at which the shop renews a line of a subscription: the line's own, whatever the product costs today. A
 * coupon is left out, because the shop may end it after some renewals.
 */
export function renewalPriceReader(
  staging: StagedShop,
  plan: Plan,
  variations: ReadonlyMap<number, Variation>,
): (subscription: number, item: number) => RenewalPrice {
  const linesOf = itemReader(staging);
  const presentOf = presentPriceReader(staging, plan, variations);
  const amountIn = ({ meta }: Item, amount: string, tax: string) => {
    const added = plan.isTaxIncluded ? Number(meta.get(tax) || 0) : 0;
    return amountOf(String(Number(meta.get(amount) || NaN) + added), plan.exponent)?.units;
  };
  return (subscription, item) => {
    const line = linesOf(subscription).find(({ id }) => id === item);
    const before = line && amountIn(line, '_line_subtotal', '_line_subtotal_tax');
    if (!line || before === undefined) return { nextPrice: null, reasons: ['renewal-price'] };
    const after = amountIn(line, '_line_total', '_line_tax');
    const unit = Math.round(before / itemsOf(line));
    const { price, surcharge } = presentOf(line);
    const isOwn = unit !== price + surcharge;
    // The store adds the surcharge of the options to the agreed price, and neither is below 0.
    const isPossible = unit >= Math.max(0, surcharge);
    const reasons = because({
      'renewal-price': isOwn && !isPossible,
      'renewal-coupon': after !== before,
    });
    return { nextPrice: isOwn && isPossible ? unit - surcharge : null, reasons };
  };
}
