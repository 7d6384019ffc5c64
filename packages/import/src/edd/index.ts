import { owedReferrals } from '../affiliatewp/referrals.ts';
import { affiliateSteps } from '../affiliatewp/steps.ts';
import type { Importer } from '../importer.ts';
import { shopOptions } from '../options.ts';
import { settingsStep } from '../settings.ts';
import { comparedQueries } from './compared.ts';
import { discountsStep } from './discounts.ts';
import { licensesStep } from './licenses.ts';
import { orderReader, ordersStep } from './orders.ts';
import { peopleStep } from './people.ts';
import { eddMentions } from './mentions.ts';
import type { Plan } from './plan.ts';
import { planOf } from './preflight.ts';
import { productsStep } from './products.ts';
import { edd } from './source.ts';
import { subscriptionsStep } from './subscriptions.ts';

export const eddImporter: Importer<typeof edd, Plan> = {
  source: edd,
  options: shopOptions,
  plan: planOf,
  steps: [
    settingsStep,
    peopleStep,
    productsStep,
    discountsStep,
    ordersStep,
    subscriptionsStep,
    ...affiliateSteps<typeof edd, Plan>('edd', ({ staging, plan }) => orderReader(staging, plan)),
    licensesStep,
  ],
  owed: owedReferrals,
  compared: comparedQueries,
  mentions: eddMentions,
};
