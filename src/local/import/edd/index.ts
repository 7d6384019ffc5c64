import { payoutsStep } from '../affiliatewp/payouts.ts';
import { commissionsStep, owedReferrals } from '../affiliatewp/referrals.ts';
import type { Referred } from '../affiliatewp/referred.ts';
import type { Importer, StepContext } from '../mapped.ts';
import { figuresOf } from '../records/order.ts';
import type { Staging } from '../staging.ts';
import { shopOptions } from '../options.ts';
import { settingsStep } from '../settings.ts';
import { comparedQueries } from './compared.ts';
import { discountsStep } from './discounts.ts';
import { licensesStep } from './licenses.ts';
import { orderReader, ordersStep } from './orders.ts';
import { people } from './people.ts';
import { eddIds, eddMentions } from './mentions.ts';
import { type Plan, planOf } from './plan.ts';
import { productsStep } from './products.ts';
import { edd } from './source.ts';
import { subscriptionsStep } from './subscriptions.ts';

const rowsIn =
  (...tables: readonly (keyof (typeof edd)['tables'])[]) =>
  ({ facts }: Staging<typeof edd>): number =>
    tables.reduce((sum, table) => sum + (facts.rows[table] ?? 0), 0);

/** What AffiliateWP's referrals are understood by: the orders that they name. */
function referredOf({ staging, numbers, plan, now }: StepContext<typeof edd, Plan>): Referred {
  const read = orderReader(staging, plan);
  return {
    staging,
    numbers,
    now,
    plan,
    affiliates: plan.affiliates,
    context: 'edd',
    partsOf(reference) {
      const found = read(reference);
      if (!found) return 'order-missing';
      return 'parts' in found ? found.parts.map(figuresOf) : 'order-not-imported';
    },
  };
}

/** Moves shops of Easy Digital Downloads in. */
export const eddImporter: Importer<typeof edd, Plan> = {
  source: edd,
  options: shopOptions,
  plan: planOf,
  steps: [
    { entity: 'settings', count: () => 1, map: settingsStep },
    {
      entity: 'users',
      count: rowsIn('users', 'edd_customers', 'affiliate_wp_affiliates'),
      map: people,
    },
    { entity: 'products', count: rowsIn('posts'), map: productsStep },
    { entity: 'coupons', count: rowsIn('edd_adjustments'), map: discountsStep },
    { entity: 'orders', count: rowsIn('edd_orders'), map: ordersStep },
    { entity: 'subscriptions', count: rowsIn('edd_subscriptions'), map: subscriptionsStep },
    {
      entity: 'payouts',
      count: rowsIn('affiliate_wp_payouts'),
      map: (context) => payoutsStep(referredOf(context)),
    },
    {
      entity: 'commissions',
      count: rowsIn('affiliate_wp_referrals'),
      map: (context) => commissionsStep(referredOf(context)),
    },
    { entity: 'licenses', count: rowsIn('edd_licenses'), map: licensesStep },
  ],
  owed: owedReferrals,
  compared: comparedQueries,
  mentions: eddMentions,
  ownIds: eddIds,
};
