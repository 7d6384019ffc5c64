import { type ProductParts, defaultParts } from '../../../../src/exports/store.ts';
import type { PhpArray } from '../serialized.ts';
import type { SaleValues } from '../sale-values.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { asText, isTruthy } from '../values.ts';
import { optionsOf } from '../wordpress-meta.ts';
import type { Affiliates } from './affiliates.ts';

/** AffiliateWP's names of the shop plugins. */
type Context = 'woocommerce' | 'edd';

/** Meta keys of a product: its own rate, the rate's type, and a switch for no commission. */
export const rateKeys = <C extends Context>(context: C) =>
  [
    `_affwp_${context}_product_rate`,
    `_affwp_${context}_product_rate_type`,
    `_affwp_${context}_referrals_disabled`,
  ] as const;

/** The plugin's default rate. */
const usualRate = '20';

/**
 * Reads the commission of a product: its own rate, otherwise the shop's. In AffiliateWP a flat amount counts once per
 * line or order, and in the store for each item: the programme of a product that is sold in quantities is off.
 */
export function commissionReader(
  staging: Staging<Source>,
  { users }: Affiliates,
  context: Context,
): (
  meta: ReadonlyMap<string, string>,
  values: SaleValues,
  hasQuantities: boolean,
) => ProductParts['affiliate'] {
  const settings = JSON.parse(optionsOf(staging).get('affwp_settings') || '{}') as PhpArray;
  const usualType = settings['referral_rate_type'];
  const [ownRate, ownType, disabled] = rateKeys(context);
  // A shop that pays per order ignores the rates of products.
  const isPerOrder = usualType === 'flat' && settings['flat_rate_basis'] === 'per_order';
  return (meta, values, hasQuantities) => {
    if (users.size === 0 || isTruthy(meta.get(disabled))) return defaultParts.affiliate;
    const own = isPerOrder ? undefined : meta;
    const rate = own?.get(ownRate) || asText(settings['referral_rate']) || usualRate;
    const isFlat = (own?.get(ownType) || usualType) === 'flat';
    if (isFlat && hasQuantities) values.note('flat-commission');
    // In AffiliateWP, a rate below 0 counts as its absolute value.
    const said = rate.trim().replace(/^-/, '');
    const fee = isFlat ? values.amount(said) : values.percentage(said);
    return {
      ...defaultParts.affiliate,
      enabled: !(isFlat && hasQuantities),
      tiers: [{ tier: 1, fee, type: isFlat ? 'fixed' : 'percentage' }],
    };
  };
}
