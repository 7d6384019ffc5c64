import type { Importer, Owed } from '../mapped.ts';
import { shopOptions } from '../options.ts';
import { settingsStep } from '../settings.ts';
import type { Staging } from '../staging.ts';
import { amountOf, isTruthy } from '../values.ts';
import { commissionsStep } from './commissions.ts';
import { comparedQueries } from './compared.ts';
import { confirmationsStep } from './confirmations.ts';
import { contentStep } from './content.ts';
import { couponsStep } from './coupons.ts';
import { groupsStep } from './groups.ts';
import { licensesStep } from './licenses.ts';
import { ordersStep } from './orders.ts';
import { people } from './people.ts';
import { sejoliIds, sejoliMentions } from './mentions.ts';
import { type Plan, planOf } from './plan.ts';
import { productsStep } from './products.ts';
import { remindersStep, templatesStep } from './reminders.ts';
import { sejoli } from './source.ts';
import { subscriptionsStep } from './subscriptions.ts';

type Shop = Staging<typeof sejoli>;

const rowsIn = (table: keyof (typeof sejoli)['tables']) => (staging: Shop) =>
  staging.facts.rows[table] ?? 0;

const postsOf =
  (type: string) =>
  ({ database }: Shop): number =>
    Number(
      database.prepare('select count(*) as n from posts where post_type = ?').get(type)?.['n'],
    );

/** What the shop's wallet holds for people: the store has none. */
function* walletsOf({ database }: Shop, { exponent, currency }: Plan): Generator<Owed> {
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

/** Moves Sejoli shops in. */
export const sejoliImporter: Importer<typeof sejoli, Plan> = {
  source: sejoli,
  options: shopOptions,
  plan: planOf,
  steps: [
    { entity: 'settings', count: () => 1, map: settingsStep },
    { entity: 'groups', count: postsOf('sejoli-user-group'), map: groupsStep },
    { entity: 'users', count: rowsIn('users'), map: people },
    { entity: 'products', count: postsOf('sejoli-product'), map: productsStep },
    { entity: 'coupons', count: rowsIn('sejolisa_coupons'), map: couponsStep },
    { entity: 'orders', count: rowsIn('sejolisa_orders'), map: ordersStep },
    { entity: 'subscriptions', count: rowsIn('sejolisa_subscriptions'), map: subscriptionsStep },
    { entity: 'commissions', count: rowsIn('sejolisa_affiliates'), map: commissionsStep },
    { entity: 'licenses', count: rowsIn('sejolisa_licenses'), map: licensesStep },
    { entity: 'confirmations', count: rowsIn('sejolisa_confirmations'), map: confirmationsStep },
    { entity: 'content', count: postsOf('sejoli-access'), map: contentStep },
    { entity: 'reminder-templates', count: postsOf('sejoli-reminder'), map: templatesStep },
    { entity: 'reminders', count: rowsIn('sejolisa_reminders'), map: remindersStep },
  ],
  owed: walletsOf,
  compared: comparedQueries,
  mentions: sejoliMentions,
  ownIds: sejoliIds,
};
