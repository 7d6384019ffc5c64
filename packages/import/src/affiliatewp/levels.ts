import type { PhpArray, PhpValue } from '../serialized.ts';
import { asArray, asText, isTruthy, phpArray, wholeOf } from '../values.ts';
import type { AffiliateContext } from './settings.ts';

/** The rate of a commission, as it is written in the shop. */
export interface Rate {
  readonly said: string;
  /** True for an amount, false for a percentage. */
  readonly isFlat: boolean;
}

/** Meta keys of a product: its own rates of levels, and their type. The add-on has them for WooCommerce alone. */
export const levelKeys = [
  '_affwp_mlm_woocommerce_product_rates',
  '_affwp_mlm_woocommerce_product_rate_type',
] as const;

/** The add-on's number of levels, and the most that a product has beside its first tier. */
const [usualDepth, mostLevels] = [15, 19];

/**
 * Reads the rates of the sponsors above the affiliate of a sale, the nearest first: a level's own rate of the product,
 * otherwise the shop's, otherwise the one for all levels.
 */
export function levelReader(
  settings: PhpArray,
  context: AffiliateContext,
): (meta: ReadonlyMap<string, string>) => Rate[] {
  const shops = ratesIn(settings['mlm_rates']);
  const forAll = asText(settings['affwp_mlm_referral_rate']);
  const depth = wholeOf(asText(settings['affwp_mlm_matrix_depth'])) || usualDepth;
  const most = Math.max(0, Math.min(depth, mostLevels));
  const usualType = settings['affwp_mlm_referral_rate_type'] || settings['referral_rate_type'];
  const isOn = asArray(settings['affwp_mlm_integrations'])?.[context] !== undefined;
  return (meta) => {
    if (!isOn) return [];
    const own = ratesIn(phpArray(meta.get(levelKeys[0]) ?? null));
    const count = isTruthy(forAll) ? most : Math.min(most, Math.max(own.length, shops.length));
    const isFlat = (meta.get(levelKeys[1]) || usualType) === 'flat';
    const levels = Array.from({ length: count }, (_, i): Rate => {
      const said = [own[i], shops[i], forAll].find(isTruthy) ?? '0';
      return { said, isFlat };
    });
    return levels.slice(0, 1 + levels.findLastIndex(({ said }) => said !== '0'));
  };
}

const ratesIn = (list: PhpValue | undefined): string[] =>
  Object.values(asArray(list) ?? {}).map((level) => asText(asArray(level)?.['rate']).trim());
