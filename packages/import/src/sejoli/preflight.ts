import { type OrderStatus, orderStatuses, SettingsUpdate } from '../../../../src/exports/store.ts';
import { plainText } from '../html-text.ts';
import { type Answers, type Preflight, type Question, answeredStatuses } from '../importer.ts';
import { followedAnswers } from '../options.ts';
import { largeMentions } from '../mentions.ts';
import { setApart } from '../own-ids.ts';
import { statusQuestion, timezoneQuestion } from '../questions.ts';
import { acceptedSettings } from '../settings.ts';
import { amountOf, entryOf, wholeOf } from '../values.ts';
import { optionsOf, timezoneOf } from '../wordpress-meta.ts';
import { groupsOf } from './carbon.ts';
import { sejoliMentions } from './mentions.ts';
import type { Plan, StagedShop } from './plan.ts';

/** Decimals of Sejoli's currencies. */
const exponents: Readonly<Record<string, number>> = { IDR: 0, MYR: 2, USD: 2 };

const amounts = { sejolisa_orders: 'grand_total', sejolisa_affiliates: 'commission' } as const;

/** Plans the import by the shop's settings, and asks its owner for the rest. */
export function planOf(staging: StagedShop, answers: Answers): Preflight<Plan> {
  setApart(staging);
  const options = optionsOf(staging);
  const questions: Question[] = [];
  const timezone = answers['timezone'] ?? timezoneOf(options);
  if (timezone === undefined || !SettingsUpdate.safeParse({ timezone }).success)
    questions.push(
      timezoneQuestion('The shop keeps local times, and its settings name no known time zone.'),
    );
  const { statuses, unknown } = statusesOf(staging, answers);
  questions.push(...unknown.map((status) => statusQuestion(status, "Sejoli's")));
  const currency = options.get('_sejoli_currency_type') || 'IDR';
  const exponent = wholeOf(answers['exponent'] ?? null) ?? entryOf(exponents, currency) ?? 2;
  const plan: Plan = {
    timezone: timezone ?? 'UTC',
    currency,
    exponent,
    taxRate: options.get('_sejoli_ppn_price'),
    statuses,
    isReduced: options.get('_manual_transaction_operation') === 'reduced',
    settings: settingsOf(options, timezone ?? 'UTC', currency, exponent),
    keepsAdministrators: answers['administrators'] === 'yes',
  };
  const followed = followedAnswers(staging, plan, answers);
  return { plan, answers: followed, questions, notes: notesOf(staging, plan) };
}

/** Sejoli's own statuses are the store's. */
function statusesOf({ database }: StagedShop, answers: Answers) {
  const statuses = new Map<string, OrderStatus>(orderStatuses.map((status) => [status, status]));
  for (const [theirs, ours] of answeredStatuses(answers)) statuses.set(theirs, ours);
  const unknown = database
    .prepare('select distinct status from sejolisa_orders order by 1')
    .all()
    .map(({ status }) => String(status))
    .filter((status) => !statuses.has(status));
  return { statuses, unknown };
}

function settingsOf(
  options: ReadonlyMap<string, string>,
  timezone: string,
  currency: string,
  currency_exponent: number,
): SettingsUpdate {
  const days = wholeOf(options.get('_sejoli_autodelete_incomplete_order') ?? null) ?? 0;
  // The plugin's default.
  const operation = options.get('_manual_transaction_operation') ?? 'added';
  const wanted: Readonly<Record<string, unknown>> = {
    store_name: plainText(options.get('blogname') ?? '').slice(0, 200),
    site_url: options.get('home') ?? '',
    timezone,
    currency,
    currency_exponent,
    language: currency === 'IDR' ? 'id' : 'en',
    permanent_affiliate: options.get('_sejoli_permanent_affiliate') === 'yes',
    affiliate_coupon_status:
      options.get('_sejoli_affiliate_coupon_active') === 'yes' ? 'active' : 'need-approve',
    auto_cancel_days: Math.min(Math.max(days, 0), 365),
    unique_code: {
      enabled: operation === 'added' || operation === 'reduced',
      operation: operation === 'reduced' ? 'reduced' : 'added',
    },
    manual_accounts: accountsOf(options),
  };
  return acceptedSettings(wanted);
}

function accountsOf(options: ReadonlyMap<string, string>) {
  return groupsOf(options, '_manual_transaction_info').map(({ fields }, i) => {
    const of = (name: string) => fields.get(name) ?? '';
    const bank = of('bank') === 'other' ? of('bank_name') : of('bank');
    return {
      id: `${bank.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 28) || 'bank'}-${i + 1}`,
      bank: bank.slice(0, 500),
      owner: of('owner').slice(0, 500),
      account_number: of('account').slice(0, 64),
      info: of('info').slice(0, 500),
    };
  });
}

function notesOf(staging: StagedShop, { timezone, exponent, currency }: Plan): string[] {
  const notes = [
    `Local times are read in ${timezone}: a zone that the shop had before can't be known.`,
    `Amounts are in ${currency} with ${exponent} decimals.`,
    'Create new API keys: those of the shop are not imported, nor are passwords.',
  ];
  for (const [table, column] of Object.entries(amounts)) {
    const rounded = countRounded(staging, table, column, exponent);
    if (rounded > 0)
      notes.push(`${rounded} amounts in ${table} have more decimals: they are rounded.`);
  }
  const addOns = staging.facts.dumpTables.filter((name) =>
    /sejolisa_(wallet|reward|jv)/.test(name),
  );
  if (addOns.length > 0)
    notes.push(`Tables of add-ons: ${addOns.join(', ')}; what they owe to people is in owed.csv.`);
  const unread = countUnread(staging, exponent);
  if (unread > 0)
    notes.push(`${unread} amounts in sejolisa_wallet are unreadable: owed.csv lacks them.`);
  return [...notes, ...largeMentions(staging, sejoliMentions)];
}

function countUnread({ database }: StagedShop, exponent: number): number {
  let unread = 0;
  const rows = database.prepare('select value from sejolisa_wallet').iterate();
  for (const { value } of rows) if (!amountOf(String(value ?? ''), exponent)) unread++;
  return unread;
}

function countRounded(
  { database }: StagedShop,
  table: string,
  column: string,
  exponent: number,
): number {
  let rounded = 0;
  const rows = database
    .prepare(`select ${column} as amount from ${table} where ${column} glob '*.*[1-9]*'`)
    .iterate();
  for (const { amount } of rows) if (amountOf(String(amount), exponent)?.rounded) rounded++;
  return rounded;
}
