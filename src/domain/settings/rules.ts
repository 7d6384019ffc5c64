import type { SettingsRow } from '../../schema/platform.ts';
import { exponentOf } from '../../lib/currencies.ts';
import { withoutUndefined } from '../../lib/objects.ts';
import type { Settings, SettingsUpdate } from './schemas.ts';
import { nextVersion } from '../../lib/versions.ts';

export const toSettings = ({
  unique_code_enabled,
  unique_code_operation,
  unique_code_largest,
  ...row
}: SettingsRow): Settings => ({
  ...row,
  access_statuses: row.access_statuses as Settings['access_statuses'],
  unique_code: {
    enabled: unique_code_enabled,
    operation: unique_code_operation,
    largest: unique_code_largest,
  },
});

export function updatedSettings(
  before: SettingsRow,
  input: SettingsUpdate,
  now: Date,
): SettingsRow {
  const { unique_code = {}, ...fields } = input;
  return {
    ...before,
    ...withoutUndefined(fields),
    ...updatedCurrency(before, input),
    unique_code_enabled: unique_code.enabled ?? before.unique_code_enabled,
    unique_code_operation: unique_code.operation ?? before.unique_code_operation,
    unique_code_largest: unique_code.largest ?? before.unique_code_largest,
    ...nextVersion(before, now),
  };
}

/** Without decimals in the update, a new currency has those of ISO 4217. */
function updatedCurrency(before: SettingsRow, input: SettingsUpdate) {
  const { currency = before.currency } = input;
  const usual =
    currency === before.currency ? before.currency_exponent : exponentOf(currency ?? '');
  return { currency, currency_exponent: input.currency_exponent ?? usual ?? null };
}

/** Requires a currency and its decimals together; returns reasons by parameter. */
export function currencyProblem({
  currency,
  currency_exponent,
}: SettingsRow): Record<string, string> | undefined {
  if ((currency === null) === (currency_exponent === null)) return undefined;
  return currency === null
    ? { currency_exponent: 'needs `currency` beside it: the store has none yet' }
    : { currency: 'is not in ISO 4217: send `currency_exponent` beside it' };
}

/** Settings that the first order fixes, because a change would give its amounts and days another meaning. */
const lockedByOrders = ['timezone', 'currency', 'currency_exponent'] as const;

export const lockedChanges = (before: SettingsRow, after: SettingsRow) =>
  lockedByOrders.filter((name) => before[name] !== after[name]);
