import { type ProductParts, defaultParts } from '../../../schema/product-parts.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { amountOf, isTruthy } from '../values.ts';
import { optionsOf } from '../wordpress-meta.ts';
import type { Affiliates } from './affiliates.ts';

/** The plugins that AffiliateWP stands beside, by its own names. */
type Context = 'woocommerce' | 'edd';

/** The meta keys by which a product has a rate of its own, or pays nothing. */
export const rateKeys = <C extends Context>(context: C) =>
  [
    `_affwp_${context}_product_rate`,
    `_affwp_${context}_product_rate_type`,
    `_affwp_${context}_referrals_disabled`,
  ] as const;

/** What the plugin pays where its settings don't say. */
const usualRate = '20';

/**
 * Reads what a product pays whoever sells it: its own rate, else the shop's. A share of the price is a share of it with
 * us; a flat amount is paid for each product.
 */
export function commissionReader(
  staging: Staging<Source>,
  { users }: Affiliates,
  context: Context,
  exponent: number,
): (meta: ReadonlyMap<string, string>) => ProductParts['affiliate'] {
  const settings = JSON.parse(optionsOf(staging).get('affwp_settings') || '{}') as Readonly<
    Record<string, string | undefined>
  >;
  const [ownRate, ownType, disabled] = rateKeys(context);
  return (meta) => {
    if (users.size === 0 || isTruthy(meta.get(disabled))) return defaultParts.affiliate;
    const rate = meta.get(ownRate) || settings['referral_rate'] || usualRate;
    const isFlat = (meta.get(ownType) || settings['referral_rate_type']) === 'flat';
    const fee = isFlat
      ? (amountOf(rate, exponent)?.units ?? 0)
      : Math.min(100, Math.round(Number(rate) * 10_000) / 10_000 || 0);
    return {
      ...defaultParts.affiliate,
      enabled: true,
      tiers: [{ tier: 1, fee: Math.abs(fee), type: isFlat ? 'fixed' : 'percentage' }],
    };
  };
}
