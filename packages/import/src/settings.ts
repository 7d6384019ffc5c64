import { type Instant, settings, SettingsUpdate } from '../../../src/exports/store.ts';
import { SourceRefused } from './errors.ts';
import { type MappedRow, change, mapped } from './mapped.ts';

/**
 * Returns the settings of a shop that the store accepts; a refused one stays at its default.
 * @throws SourceRefused if the store refuses the currency
 */
export function acceptedSettings(wanted: Readonly<Record<string, unknown>>): SettingsUpdate {
  const accepted: SettingsUpdate = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => SettingsUpdate.safeParse({ [name]: value }).success,
    ),
  );
  if (accepted.currency !== undefined) return accepted;
  throw new SourceRefused(
    'currency',
    `The shop's currency is "${String(wanted['currency'])}": the store needs a code of three capitals, such as IDR`,
  );
}

/** The source's side of the comparison: what amounts and times of all other rows depend on. */
export const comparedSettings = (plan: {
  readonly timezone: string;
  readonly currency: string;
  readonly exponent: number;
}): string =>
  `select 'options' as id, '${plan.timezone}' as timezone, '${plan.currency}' as currency, ${plan.exponent} as exponent`;

/**
 * The settings are written first, because an order fixes the store's currency and time zone. What ended in the shop before
 * the import is no change of the store, so no event reports it.
 */
export const settingsStep = {
  entity: 'settings' as const,
  ids: [],
  count: () => 1,
  *map({
    plan,
    now,
  }: {
    readonly plan: { readonly settings: SettingsUpdate };
    readonly now: Instant;
  }): Generator<MappedRow> {
    const { unique_code, ...columns } = plan.settings;
    const codes = unique_code && {
      unique_code_enabled: unique_code.enabled,
      unique_code_operation: unique_code.operation,
    };
    const rows = [change(settings, 1, { ...columns, ...codes, states_told_at: now })];
    yield mapped('settings', 'options', { rows, targets: [1] });
  },
};
