import type { SettingsRow } from '../../schema/platform.ts';
import { given } from '../../lib/objects.ts';
import type { Settings, SettingsUpdate } from './schemas.ts';

export const toSettings = ({
  unique_code_enabled,
  unique_code_operation,
  ...row
}: SettingsRow): Settings => ({
  ...row,
  access_statuses: row.access_statuses as Settings['access_statuses'],
  unique_code: { enabled: unique_code_enabled, operation: unique_code_operation },
});

export function updatedSettings(
  before: SettingsRow,
  input: SettingsUpdate,
  now: Date,
): SettingsRow {
  const { unique_code = {}, ...fields } = input;
  return {
    ...before,
    ...given(fields),
    unique_code_enabled: unique_code.enabled ?? before.unique_code_enabled,
    unique_code_operation: unique_code.operation ?? before.unique_code_operation,
    updated_at: now.toISOString(),
    version: before.version + 1,
  };
}

/** What the first order fixes: its figures and days would change their meaning. */
const lockedByOrders = ['timezone', 'currency', 'currency_exponent'] as const;

/** The settings an update would change although orders depend on them. */
export const lockedChanges = (before: SettingsRow, after: SettingsRow) =>
  lockedByOrders.filter((name) => before[name] !== after[name]);
