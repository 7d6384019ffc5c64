import type { Importer, Debt } from '../importer.ts';
import { shopOptions } from '../options.ts';
import { settingsStep } from '../settings.ts';
import { amountOf, isTruthy } from '../values.ts';
import { commissionsStep } from './commissions.ts';
import { comparedQueries } from './compared.ts';
import { confirmationsStep } from './confirmations.ts';
import { contentStep } from './content.ts';
import { couponsStep } from './coupons.ts';
import { groupsStep } from './groups.ts';
import { licensesStep } from './licenses.ts';
import { ordersStep } from './orders.ts';
import { peopleStep } from './people.ts';
import { sejoliMentions } from './mentions.ts';
import type { Plan, StagedShop } from './plan.ts';
import { planOf } from './preflight.ts';
import { productsStep } from './products.ts';
import { remindersStep, templatesStep } from './reminders.ts';
import { sejoli } from './source.ts';
import { subscriptionsStep } from './subscriptions.ts';

/** Sums up each person's balance in the shop's wallet, which the store lacks. */
function* walletsOf({ database }: StagedShop, { exponent, currency }: Plan): Generator<Debt> {
  const balances = new Map<string, number>();
  const rows = database.prepare('select * from sejolisa_wallet order by rowid').iterate();
  for (const row of rows) {
    if (row['type'] === 'in' && !isTruthy(String(row['valid_point'] ?? ''))) continue;
    const amount = amountOf(String(row['value'] ?? ''), exponent)?.units ?? 0;
    const userId = String(row['user_id']);
    const sign = row['type'] === 'out' ? -1 : 1;
    balances.set(userId, (balances.get(userId) ?? 0) + sign * amount);
  }
  for (const [userId, amount] of balances)
    if (amount !== 0) yield { userId, kind: 'wallet', amount, currency };
}

export const sejoliImporter: Importer<typeof sejoli, Plan> = {
  source: sejoli,
  options: shopOptions,
  plan: planOf,
  steps: [
    settingsStep,
    groupsStep,
    peopleStep,
    productsStep,
    couponsStep,
    ordersStep,
    subscriptionsStep,
    commissionsStep,
    licensesStep,
    confirmationsStep,
    contentStep,
    templatesStep,
    remindersStep,
  ],
  owed: walletsOf,
  compared: comparedQueries,
  mentions: sejoliMentions,
};
