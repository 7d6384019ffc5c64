import { owedReferrals } from '../affiliatewp/referrals.ts';
import { affiliateSteps } from '../affiliatewp/steps.ts';
import type { Importer } from '../importer.ts';
import { shopOptions } from '../options.ts';
import { settingsStep } from '../settings.ts';
import { idOf } from '../values.ts';
import { couponsStep } from './affiliate-coupons.ts';
import { comparedQueries } from './compared.ts';
import { licensesStep } from './licenses.ts';
import { orderReader, ordersStep } from './orders.ts';
import { peopleStep } from './people.ts';
import { woocommerceMentions } from './mentions.ts';
import type { Plan } from './plan.ts';
import { planOf } from './preflight.ts';
import { productsStep } from './products.ts';
import { woocommerce } from './source.ts';
import { subscriptionsStep } from './subscriptions.ts';

export const woocommerceImporter: Importer<typeof woocommerce, Plan> = {
  source: woocommerce,
  options: shopOptions,
  plan: planOf,
  steps: [
    settingsStep,
    peopleStep,
    productsStep,
    couponsStep,
    ordersStep,
    subscriptionsStep,
    ...affiliateSteps<typeof woocommerce, Plan>('woocommerce', ({ staging, plan }) => {
      const read = orderReader(staging, plan);
      return (reference) => read(idOf(reference) ?? 0);
    }),
    licensesStep,
  ],
  owed: owedReferrals,
  compared: comparedQueries,
  mentions: woocommerceMentions,
};
