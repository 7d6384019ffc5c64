import type { PhpArray } from '../serialized.ts';
import type { Source } from '../source.ts';
import type { Staging } from '../staging.ts';
import { optionsOf } from '../wordpress-meta.ts';

/** AffiliateWP's names of the shop plugins. */
export type AffiliateContext = 'woocommerce' | 'edd';

/** The imported settings of AffiliateWP, by name; none without the plugin. */
export const affiliateSettingsOf = (staging: Staging<Source>): PhpArray =>
  JSON.parse(optionsOf(staging).get('affwp_settings') || '{}') as PhpArray;
