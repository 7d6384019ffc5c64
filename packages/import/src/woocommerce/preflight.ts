import { type OrderStatus, SettingsUpdate } from '../../../../src/exports/store.ts';
import { affiliatesOf } from '../affiliatewp/affiliates.ts';
import { SourceRefused } from '../errors.ts';
import { plainText } from '../html-text.ts';
import { type Answers, type Preflight, type Question, answeredStatuses } from '../importer.ts';
import { largeMentions } from '../mentions.ts';
import { followedAnswers } from '../options.ts';
import { ALL_TABLES, absentTables } from '../prefix.ts';
import { setApart } from '../own-ids.ts';
import { statusQuestion, timezoneQuestion } from '../questions.ts';
import { acceptedSettings } from '../settings.ts';
import { taxNotes } from '../tax-notes.ts';
import { amountOf, entryOf, numberIn, wholeOf } from '../values.ts';
import { optionsOf, timezoneOf } from '../wordpress-meta.ts';
import { type StagedShop, gather } from './gathered.ts';
import { gatherKeyHolders } from './keys.ts';
import { woocommerceMentions } from './mentions.ts';
import { type Plan, ignoredStatuses } from './plan.ts';
import { woocommerce } from './source.ts';

const ownStatuses: Readonly<Record<string, OrderStatus>> = {
  'wc-pending': 'on-hold',
  'wc-on-hold': 'on-hold',
  'wc-processing': 'in-progress',
  'wc-completed': 'completed',
  'wc-refunded': 'refunded',
  'wc-cancelled': 'cancelled',
  'wc-failed': 'cancelled',
};

/** Grams in each unit of weight. */
const units: Readonly<Record<string, number>> = {
  kg: 1000,
  g: 1,
  lbs: 453.592_37,
  oz: 28.349_523_125,
};

/** Plans the import by the shop's settings, and asks its owner for the rest. */
export function planOf(staging: StagedShop, answers: Answers): Preflight<Plan> {
  setApart(staging);
  const options = optionsOf(staging);
  const questions: Question[] = [];
  const timezone = answers['timezone'] ?? timezoneOf(options);
  if (timezone === undefined || !SettingsUpdate.safeParse({ timezone }).success)
    questions.push(timezoneQuestion('The shop’s settings name no known time zone.'));
  const currency = options.get('woocommerce_currency') || 'USD';
  const exponent = wholeOf(answers['exponent'] ?? null) ?? decimalsOf(options);
  if (exponent > mostDecimals)
    questions.push({
      code: 'exponent',
      text: `The shop's amounts have ${exponent} decimals, and the store keeps ${mostDecimals} at most: they are rounded.`,
      option: `--exponent ${mostDecimals}`,
    });
  const isInTables = options.get('woocommerce_custom_orders_table_enabled') === 'yes';
  refuseWithoutTables(staging, isInTables);
  gather(staging, isInTables, { currency, ignored: ignoredStatuses });
  const { statuses, unknown } = statusesOf(staging, answers);
  questions.push(...unknown.map((status) => statusQuestion(status, 'WooCommerce’s')));
  const plan: Plan = {
    timezone: timezone ?? 'UTC',
    currency,
    exponent,
    statuses,
    isInTables,
    hasTaxes: options.get('woocommerce_calc_taxes') === 'yes',
    isTaxIncluded: options.get('woocommerce_prices_include_tax') === 'yes',
    countsStock: options.get('woocommerce_manage_stock') !== 'no',
    grams: entryOf(units, options.get('woocommerce_weight_unit')) ?? 1000,
    settings: acceptedSettings({
      store_name: plainText(options.get('blogname') ?? '').slice(0, 200),
      site_url: options.get('home') ?? '',
      // Its state may follow: `ID:JK`.
      country: options.get('woocommerce_default_country')?.split(':')[0] ?? '',
      timezone,
      currency,
      currency_exponent: exponent,
      language: currency === 'IDR' ? 'id' : 'en',
    }),
    affiliates: affiliatesOf(staging),
    keepsAdministrators: answers['administrators'] === 'yes',
  };
  gatherKeyHolders(staging, plan);
  const followed = followedAnswers(staging, plan, answers);
  return { plan, answers: followed, questions, notes: notesOf(staging, plan) };
}

/** The most decimals that a currency has in the store. */
const mostDecimals = 4;

/** The number of decimals of prices, read like the plugin reads it. */
const decimalsOf = (options: ReadonlyMap<string, string>): number =>
  Math.abs(Math.trunc(Number(numberIn(options.get('woocommerce_price_num_decimals') ?? '2') ?? 0)));

const orderTables = [
  'wc_orders',
  'wc_order_addresses',
  'wc_order_operational_data',
  'wc_orders_meta',
];

/**
 * @throws SourceRefused if tables that the shop uses were not dumped: it would seem to have no orders, or downloads
 *   without an end
 */
function refuseWithoutTables(staging: StagedShop, isInTables: boolean): void {
  const { prefix, dumpTables } = staging.facts;
  const absent = absentTables(woocommerce, prefix, dumpTables);
  const used = [
    ...(isInTables ? orderTables : []),
    ...(hasExpiringDownloads(staging) ? [permissionTable] : []),
  ];
  const missing = used.map((name) => prefix + name).filter((table) => absent.includes(table));
  if (missing.length > 0)
    throw new SourceRefused(
      'tables',
      `The shop uses tables that are missing here: ${missing.join(', ')}. ${ALL_TABLES}. npm run import -- woocommerce --tables prints commands that dump them.`,
    );
}

const permissionTable = 'woocommerce_downloadable_product_permissions';

/** Returns true if a product's downloads end after a number of days. */
const hasExpiringDownloads = ({ database }: StagedShop): boolean =>
  database
    .prepare(
      "select 1 from postmeta where meta_key = '_download_expiry' and cast(meta_value as integer) > 0 limit 1",
    )
    .get() !== undefined;

function statusesOf({ database }: StagedShop, answers: Answers) {
  const statuses = new Map([...Object.entries(ownStatuses), ...answeredStatuses(answers)]);
  const unknown = database
    .prepare('select distinct status from wanted_order order by 1')
    .all()
    .map(({ status }) => String(status))
    .filter((status) => !statuses.has(status));
  return { statuses, unknown };
}

function notesOf(staging: StagedShop, { isInTables, currency, exponent }: Plan): string[] {
  const { database } = staging;
  const count = (query: string) => Number(database.prepare(query).get()?.['n']);
  const notes = [
    `Orders are read from ${isInTables ? 'their own tables' : 'the posts'}, where the shop keeps them.`,
    `Amounts are in ${currency} with ${exponent} decimals.`,
    'Create new API keys: those of the shop are not imported, nor are passwords.',
  ];
  const mixed = count(
    'select count(*) as n from (select 1 from part join woocommerce_order_items i on i.order_item_id = cast(part.item_id as text) group by i.order_id)',
  );
  if (mixed > 0) notes.push(`${mixed} orders have several products: each becomes an order.`);
  const rounded = countRounded(staging, exponent);
  if (rounded > 0) notes.push(`${rounded} totals have more decimals: they are rounded.`);
  return [
    ...notes,
    ...taxNotes(count(taxedBesideGoods), 'their shipping or fees'),
    ...largeMentions(staging, woocommerceMentions),
  ];
}

const taxedBesideGoods = `
  select count(distinct i.order_id) as n
    from woocommerce_order_items i
    join woocommerce_order_itemmeta m on m.order_item_id = i.order_item_id
     and m.meta_key = case order_item_type when 'shipping' then 'total_tax' else '_line_tax' end
   where order_item_type in ('shipping', 'fee') and cast(m.meta_value as real) <> 0
     and i.order_id in (select cast(id as text) from wanted_order)`;

function countRounded({ database }: StagedShop, exponent: number): number {
  let rounded = 0;
  const rows = database
    .prepare(`select total from wanted_order where total glob '*.*[1-9]*'`)
    .iterate();
  for (const { total } of rows) if (amountOf(String(total), exponent)?.rounded) rounded++;
  return rounded;
}
