import { because } from '../mapped.ts';
import type { Reason } from '../reasons.ts';
import { SaleValues } from '../sale-values.ts';
import { amountOf, idOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import { type Item, itemReader, productIn } from './items.ts';
import { itemsOf } from './order.ts';
import type { Context } from './plan.ts';
import { lowestOf, priceReader, typeReader } from './products.ts';
import { priceIn, readVariations } from './variations.ts';

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
  context: Context,
): (subscription: number, item: number) => RenewalPrice {
  const { staging, plan } = context;
  const linesOf = itemReader(staging);
  const presentOf = presentPriceReader(context);
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

/** Finds the price of a product as it is imported, and the surcharge of a line's variation. */
function presentPriceReader({ staging, plan }: Context) {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const variations = readVariations(staging, plan);
  const ofProduct = Map.groupBy(variations.values(), ({ productId }) => productId);
  const typeOf = typeReader(staging);
  const priceOf = priceReader(staging);
  return (line: Item) => {
    const id = productIn(line);
    const isVariable = typeOf(id).startsWith('variable');
    const lowest = isVariable ? lowestOf(ofProduct.get(id) ?? []) : undefined;
    const own = priceIn(metaOf(id), new SaleValues(plan.exponent), priceOf(id));
    const price = lowest ?? own ?? 0;
    const chosen = isVariable
      ? variations.get(idOf(line.meta.get('_variation_id')) ?? 0)
      : undefined;
    return { price, surcharge: (chosen?.price ?? price) - price };
  };
}
