import { type ProductParts, defaultParts } from '../../../../src/exports/store.ts';
import type { SaleValues } from '../sale-values.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { asText, isTruthy } from '../values.ts';
import type { Affiliates } from './affiliates.ts';
import { type Rate, levelReader } from './levels.ts';
import { type AffiliateContext, affiliateSettingsOf } from './settings.ts';

/** Meta keys of a product or a variation: its own rate, the rate's type, and a switch for no commission. */
export const rateKeys = <C extends AffiliateContext>(context: C) =>
  [
    `_affwp_${context}_product_rate`,
    `_affwp_${context}_product_rate_type`,
    `_affwp_${context}_referrals_disabled`,
  ] as const;

/** The meta key of a category's rate. */
export const categoryRateKey = <C extends AffiliateContext>(context: C) =>
  `_affwp_${context}_category_rate` as const;

type Meta = ReadonlyMap<string, string>;

export interface RatedProduct {
  readonly id: number;
  readonly meta: Meta;
  /** The meta of the variations that are sold. */
  readonly variations: readonly Meta[];
}

/** The plugin's default rate. */
const usualRate = '20';

/**
 * Reads the commissions of a product. In AffiliateWP a flat amount counts once per line or order, and in the store for
 * each item: the programme of a product that is sold in quantities is off. So is that of a product whose variations
 * have different commissions.
 */
export function commissionReader(
  staging: Staging<Source>,
  { users }: Affiliates,
  context: AffiliateContext,
): (
  product: RatedProduct,
  values: SaleValues,
  hasQuantities: boolean,
) => ProductParts['affiliate'] {
  const rateOf = rateReader(staging, context);
  const levelsOf = levelReader(affiliateSettingsOf(staging), context);
  return (product, values, hasQuantities) => {
    if (users.size === 0) return defaultParts.affiliate;
    const [first = null, ...others] = ratesOf(product, rateOf);
    const isOne = others.every((rate) => JSON.stringify(rate) === JSON.stringify(first));
    if (!isOne) values.note('commissions-differ');
    if (!isOne || first === null) return defaultParts.affiliate;
    const rates = [first, ...levelsOf(product.meta)];
    const isCountedOnce = hasQuantities && rates.some(({ isFlat }) => isFlat);
    if (isCountedOnce) values.note('flat-commission');
    const tiers = rates.map((rate, i) => tierOf(rate, i + 1, values));
    return { ...defaultParts.affiliate, enabled: !isCountedOnce, tiers };
  };
}

/** Returns the rate of each variation, or of a product without one; null for no commission. */
function ratesOf(
  { id, meta, variations }: RatedProduct,
  rateOf: ReturnType<typeof rateReader>,
): (Rate | null)[] {
  const sold = variations.length > 0 ? variations : [undefined];
  return sold.map((variation) => rateOf(id, meta, variation));
}

/**
 * Reads the rate of a sale: the variation's own, otherwise the product's, its category's and the shop's. A product with
 * a type of rate of its own has no rate of its category.
 */
function rateReader(staging: Staging<Source>, context: AffiliateContext) {
  const settings = affiliateSettingsOf(staging);
  const categoryRateOf = categoryRateReader(staging, context);
  const [ownRate, ownType, disabled] = rateKeys(context);
  const usualType = settings['referral_rate_type'];
  const usual = asText(settings['referral_rate']) || usualRate;
  // A shop that pays per order ignores the rates of products.
  const isPerOrder = usualType === 'flat' && settings['flat_rate_basis'] === 'per_order';
  return (id: number, product: Meta, variation: Meta = product): Rate | null => {
    if ([product, variation].some((meta) => isTruthy(meta.get(disabled)))) return null;
    if (isPerOrder) return { said: usual, isFlat: true };
    const own = isTruthy(variation.get(ownRate)) ? variation : product;
    const type = own.get(ownType);
    const said = own.get(ownRate) || (type ? '' : categoryRateOf(id)) || usual;
    return { said, isFlat: (type || usualType) === 'flat' };
  };
}

/** Reads the rate of a product's first category, in the order in which the shop lists them. */
function categoryRateReader({ database }: Staging<Source>, context: AffiliateContext) {
  const taxonomy = context === 'woocommerce' ? 'product_cat' : 'download_category';
  const metaOf = (key: string) =>
    `(select meta_value from termmeta m where m.term_id = x.term_id and m.meta_key = '${key}' order by m.rowid limit 1)`;
  const select = database.prepare(
    `select ${metaOf(categoryRateKey(context))} as rate
       from term_relationships r
       join term_taxonomy x on x.term_taxonomy_id = r.term_taxonomy_id and x.taxonomy = '${taxonomy}'
       left join terms t on t.term_id = x.term_id
      where r.object_id = ?
      order by cast(${metaOf('order')} as integer), t.name collate nocase, cast(x.term_id as integer) limit 1`,
  );
  return (id: number): string => {
    const rate = select.get(String(id))?.['rate'];
    return rate == null ? '' : String(rate);
  };
}

function tierOf({ said, isFlat }: Rate, tier: number, values: SaleValues) {
  // In AffiliateWP, a rate below 0 counts as its absolute value.
  const rate = said.trim().replace(/^-/, '');
  return {
    tier,
    fee: isFlat ? values.amount(rate) : values.percentage(rate),
    type: isFlat ? ('fixed' as const) : ('percentage' as const),
  };
}
