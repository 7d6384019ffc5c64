import { isDeepStrictEqual } from 'node:util';
import { type ProductParts, defaultParts } from '../../../../src/exports/store.ts';
import { termDays } from '../records/license.ts';
import type { SaleValues } from '../sale-values.ts';
import { isTruthy } from '../values.ts';

/** The licence of a price option. */
export interface OptionLicense {
  /** Seats, if the option has its own. */
  readonly licenseLimit: number | undefined;
  /** True if it never ends. */
  readonly isForLife: boolean;
}

/**
 * Returns the licence that a download sells, by Software Licensing, and whether all its price options sell this one: in
 * the store they have one licence.
 */
export function licenseOf(
  meta: ReadonlyMap<string, string>,
  options: readonly OptionLicense[],
  values: SaleValues,
): { readonly license: ProductParts['license']; readonly isOfAll: boolean } {
  if (!isTruthy(meta.get('_edd_sl_enabled')))
    return { license: defaultParts.license, isOfAll: true };
  const own = { limit: values.whole(meta.get('_edd_sl_limit')), days: daysOf(meta, values) };
  const [first = own, ...others] = options.map(({ licenseLimit, isForLife }) => ({
    limit: licenseLimit ?? own.limit,
    days: isForLife ? 0 : own.days,
  }));
  return {
    license: {
      active: true,
      count: Math.min(1_000_000, first.limit),
      expires_days: first.days,
      max_resets: defaultParts.license.max_resets,
    },
    isOfAll: others.every((other) => isDeepStrictEqual(other, first)),
  };
}

/** Returns the days of a new licence; 0 = for ever. Without a length it lasts a year, as in the plugin. */
function daysOf(meta: ReadonlyMap<string, string>, values: SaleValues): number {
  if (isTruthy(meta.get('edd_sl_download_lifetime'))) return 0;
  const length = values.whole(meta.get('_edd_sl_exp_length')) || 1;
  const days = termDays(length, meta.get('_edd_sl_exp_unit') || 'years');
  if (days === undefined) values.unreadable();
  return days ?? Math.min(36_500, length);
}
