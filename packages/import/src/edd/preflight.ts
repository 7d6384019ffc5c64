import { type OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import { affiliatesOf } from '../affiliatewp/affiliates.ts';
import { type Answers, type Preflight, type Question, answeredStatuses } from '../importer.ts';
import { largeMentions } from '../mentions.ts';
import { followedAnswers } from '../options.ts';
import type { PhpArray } from '../serialized.ts';
import { setApart } from '../own-ids.ts';
import { statusQuestion, timezoneQuestion } from '../questions.ts';
import { acceptedSettings } from '../settings.ts';
import { taxNotes } from '../tax-notes.ts';
import { asText, currencyOf, isTruthy, wholeOf } from '../values.ts';
import { plainText } from '../html-text.ts';
import { optionsOf, timezoneOf } from '../wordpress-meta.ts';
import { buyersOf } from './buyers.ts';
import { eddMentions } from './mentions.ts';
import { type Plan, type StagedShop, ignoredStatuses } from './plan.ts';
import { gatherRenewals } from './renewals.ts';

/** Currencies that have no decimals in the plugin. */
const withoutDecimals = ['JPY', 'IRR', 'JOD', 'KRW', 'VND', 'IDR', 'HUF', 'TWD', 'CLP'];

/** The plugin's statuses, and the store's for them. */
const known: readonly (readonly [string, OrderStatus])[] = [
  ['pending', 'on-hold'],
  ['processing', 'on-hold'],
  ['on_hold', 'payment-confirm'],
  ['complete', 'completed'],
  ['publish', 'completed'],
  ['edd_subscription', 'completed'],
  ['partially_refunded', 'completed'],
  // Completed, with the access revoked.
  ['revoked', 'completed'],
  ['refunded', 'refunded'],
  ['failed', 'cancelled'],
  ['abandoned', 'cancelled'],
  ['cancelled', 'cancelled'],
];

/** Plans the import by the shop's settings, and asks its owner for the rest. */
export function planOf(staging: StagedShop, answers: Answers): Preflight<Plan> {
  setApart(staging);
  gatherRenewals(staging);
  const options = optionsOf(staging);
  const own = JSON.parse(options.get('edd_settings') || '{}') as PhpArray;
  const currency = currencyOf(asText(own['currency']) || 'USD');
  const exponent =
    wholeOf(answers['exponent'] ?? null) ?? (withoutDecimals.includes(currency) ? 0 : 2);
  const zoneSaid = answers['timezone'] ?? timezoneOf(options) ?? 'UTC';
  const isZone = SettingsUpdate.safeParse({ timezone: zoneSaid }).success;
  const timezone = isZone ? zoneSaid : 'UTC';
  const statuses = new Map<string, OrderStatus>([...known, ...answeredStatuses(answers)]);
  const wanted: Readonly<Record<string, unknown>> = {
    store_name: plainText(options.get('blogname') ?? '').slice(0, 200),
    site_url: options.get('home') ?? '',
    timezone,
    country: asText(own['base_country']),
    currency,
    currency_exponent: exponent,
    // Orders of the plugin never expire.
    auto_cancel_days: 0,
  };
  const keepsDownloads = !isTruthy(asText(own['recurring_download_limit']));
  const plan: Plan = {
    timezone,
    currency,
    exponent,
    statuses,
    hasTaxes: isTruthy(asText(own['enable_taxes'])),
    isTaxIncluded: asText(own['prices_include_tax']) === 'yes',
    settings: acceptedSettings(wanted),
    buyers: buyersOf(staging),
    affiliates: affiliatesOf(staging),
    keepsAdministrators: answers['administrators'] === 'yes',
    keepsDownloads,
    keepsCompleted:
      keepsDownloads || isTruthy(asText(own['recurring_treat_completed_subs_as_active'])),
  };
  const zone = timezoneQuestion('The shop’s settings name no known time zone.');
  return {
    plan,
    answers: followedAnswers(staging, plan, answers),
    questions: [...(isZone ? [] : [zone]), ...questionsOf(staging, statuses)],
    notes: notesOf(staging, plan),
  };
}

function questionsOf({ database }: StagedShop, statuses: ReadonlyMap<string, unknown>): Question[] {
  return database
    .prepare(`select distinct status from edd_orders where type = 'sale' order by 1`)
    .all()
    .map(({ status }) => String(status))
    .filter((status) => !statuses.has(status) && !ignoredStatuses.includes(status))
    .map((status) => statusQuestion(status, "the plugin's"));
}

const taxedFees = `
  select count(distinct coalesce(i.order_id, a.object_id)) as n
    from edd_order_adjustments a
    left join edd_order_items i on a.object_type = 'order_item' and i.id = a.object_id
   where a.type = 'fee' and cast(a.tax as real) <> 0
     and coalesce(i.order_id, a.object_id) in (select id from edd_orders where type = 'sale')`;

function notesOf(staging: StagedShop, { currency, exponent, timezone }: Plan): string[] {
  const { database, facts } = staging;
  const other = database
    .prepare('select currency, count(*) as n from edd_orders group by 1')
    .all()
    .reduce(
      (sum, row) => sum + (currencyOf(String(row['currency'])) === currency ? 0 : Number(row['n'])),
      0,
    );
  return [
    `Amounts are in ${currency} with ${exponent} decimals; days count in ${timezone}.`,
    'Create new API keys: those of the shop are not imported, nor are passwords.',
    ...(other > 0
      ? [`${other} orders are in other currencies, and are refused: a store has one currency.`]
      : []),
    ...taxNotes(Number(database.prepare(taxedFees).get()?.['n']), 'their fees'),
    ...(facts.dumpTables.some((name) => name.endsWith('edd_licenses'))
      ? []
      : ['There are no tables of Software Licensing.']),
    ...largeMentions(staging, eddMentions),
  ];
}
