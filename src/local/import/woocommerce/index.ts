import { payoutsStep } from '../affiliatewp/payouts.ts';
import { commissionsStep, owedReferrals } from '../affiliatewp/referrals.ts';
import type { Referred } from '../affiliatewp/referred.ts';
import type { Importer, StepContext } from '../mapped.ts';
import { shopOptions } from '../options.ts';
import { figuresOf } from '../records/order.ts';
import { settingsStep } from '../settings.ts';
import { idOf } from '../values.ts';
import { comparedQueries } from './compared.ts';
import { couponsStep } from './coupons.ts';
import type { Shop } from './gathered.ts';
import { licensesStep } from './licenses.ts';
import { orderReader, ordersStep } from './orders.ts';
import { peopleStep } from './people.ts';
import { woocommerceIds, woocommerceMentions } from './mentions.ts';
import { type Plan, planOf } from './plan.ts';
import { productsStep } from './products.ts';
import { woocommerce } from './source.ts';
import { subscriptionsStep } from './subscriptions.ts';

const counting =
  (query: string) =>
  ({ database }: Shop): number =>
    Number(database.prepare(query).get()?.['n']);

const posts = (type: string) =>
  counting(`select count(*) as n from posts where post_type = '${type}'`);

/** What AffiliateWP's referrals are understood by: the orders that they name. */
function referredOf({
  staging,
  numbers,
  plan,
  now,
}: StepContext<typeof woocommerce, Plan>): Referred {
  const read = orderReader(staging, plan);
  return {
    staging,
    numbers,
    now,
    plan,
    affiliates: plan.affiliates,
    context: 'woocommerce',
    partsOf(reference) {
      const found = read(idOf(reference) ?? 0);
      if (!found) return 'order-missing';
      return 'orders' in found ? found.orders.map(figuresOf) : 'order-not-imported';
    },
  };
}

/** Moves WooCommerce shops in. */
export const woocommerceImporter: Importer<typeof woocommerce, Plan> = {
  source: woocommerce,
  options: shopOptions,
  plan: planOf,
  steps: [
    { entity: 'settings', count: () => 1, map: settingsStep },
    {
      entity: 'users',
      count: counting(
        `select (select count(*) from users) + (select count(*) from guest)
              + (select count(*) from affiliate_wp_affiliates) as n`,
      ),
      map: peopleStep,
    },
    { entity: 'products', count: posts('product'), map: productsStep },
    { entity: 'coupons', count: posts('shop_coupon'), map: couponsStep },
    {
      entity: 'orders',
      count: counting(`select count(*) as n from shop_order where type is not 'shop_subscription'`),
      map: ordersStep,
    },
    {
      entity: 'subscriptions',
      count: counting(`select count(*) as n from shop_order where type = 'shop_subscription'`),
      map: subscriptionsStep,
    },
    {
      entity: 'payouts',
      count: counting('select count(*) as n from affiliate_wp_payouts'),
      map: (context) => payoutsStep(referredOf(context)),
    },
    {
      entity: 'commissions',
      count: counting('select count(*) as n from affiliate_wp_referrals'),
      map: (context) => commissionsStep(referredOf(context)),
    },
    {
      entity: 'licenses',
      count: counting('select count(*) as n from lic_key_tbl'),
      map: licensesStep,
    },
  ],
  owed: owedReferrals,
  compared: comparedQueries,
  mentions: woocommerceMentions,
  ownIds: woocommerceIds,
};
