import { defaultParts } from '../../../../src/exports/store.ts';
import { acceptedParts } from '../records/product.ts';
import type { Span } from '../records/recurrence.ts';
import { SaleValues } from '../sale-values.ts';
import { idOf } from '../values.ts';
import { metaReader } from '../wordpress-meta.ts';
import type { StagedShop } from './gathered.ts';
import { type Item, productIn } from './items.ts';
import type { Plan } from './plan.ts';
import { lowestOf, offerOf, priceReader, typeReader } from './products.ts';
import { type Variation, priceIn } from './variations.ts';

type Variations = ReadonlyMap<number, Variation>;

/** Finds the price of a product as it is imported, and the surcharge of a line's variation. */
export function presentPriceReader(staging: StagedShop, plan: Plan, variations: Variations) {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const variationsOf = variationReader(staging, variations);
  const priceOf = priceReader(staging);
  const pricesOf = (id: number) => {
    const sold = variationsOf(id);
    const own = priceIn(metaOf(id), new SaleValues(plan.exponent), priceOf(id));
    return { isVariable: sold !== undefined, price: lowestOf(sold ?? []) ?? own ?? 0 };
  };
  const known = new Map<number, ReturnType<typeof pricesOf>>();
  return (line: Item) => {
    const id = productIn(line);
    const { isVariable, price } = known.get(id) ?? pricesOf(id);
    known.set(id, { isVariable, price });
    const chosen = isVariable
      ? variations.get(idOf(line.meta.get('_variation_id')) ?? 0)
      : undefined;
    return { price, surcharge: (chosen?.price ?? price) - price };
  };
}

/** Finds the term for which a product renews as it is imported. */
export function presentTermReader(
  staging: StagedShop,
  plan: Plan,
  variations: Variations,
): (product: number) => Span {
  const metaOf = metaReader(staging, 'postmeta', 'post_id');
  const typeOf = typeReader(staging);
  const variationsOf = variationReader(staging, variations);
  return (id) => {
    const own = { meta: metaOf(id), values: new SaleValues(plan.exponent) };
    const { subscription } = offerOf(typeOf(id), variationsOf(id) ?? own);
    return (acceptedParts({ subscription }).parts.subscription ?? defaultParts.subscription)
      .regular;
  };
}

/** Finds the variations of a product; undefined if it is sold without. */
function variationReader(staging: StagedShop, variations: Variations) {
  const typeOf = typeReader(staging);
  const ofProduct = Map.groupBy(variations.values(), ({ productId }) => productId);
  return (id: number) =>
    typeOf(id).startsWith('variable') ? (ofProduct.get(id) ?? []) : undefined;
}
