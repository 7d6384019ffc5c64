import { type Results, sendIf } from '../../kernel/database/statements.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { isSameRecord } from '../../lib/objects.ts';
import {
  currencyProblem,
  lockedChanges,
  toSettings,
  updatedSettings,
} from '../../domain/settings/rules.ts';
import type { SettingsUpdate } from '../../domain/settings/schemas.ts';
import { requireOrdersIn } from '../../queries/order-guards.ts';
import { findAnyOrder } from '../../queries/orders.ts';
import { priceProducts } from '../../queries/products.ts';
import { findSettings, findTimeZone, saveSettings } from '../../queries/settings.ts';

export const loadSettings = ({ timezone }: SettingsUpdate) => ({
  found: findSettings(),
  anyOrder: findAnyOrder(),
  zone: sendIf(timezone !== undefined, () => findTimeZone(timezone ?? '')),
});

/** Used by the API and the command line. */
export function changeSettings(
  { found, anyOrder, zone }: Results<ReturnType<typeof loadSettings>>,
  input: SettingsUpdate,
  ifMatch: number | undefined,
  now: Date,
) {
  const before = current(found, ifMatch);
  if (isRefusal(before)) return before;
  if (input.timezone !== undefined && zone.rows.length === 0)
    return refuse('rest_invalid_param', { params: { timezone: 'is not known here' } });
  const after = updatedSettings(before, input, now);
  const problem = currencyProblem(after);
  if (problem) return refuse('rest_invalid_param', { params: problem });
  if (isSameRecord(before, after)) return { write: [], reply: toSettings(before) };
  const locked = lockedChanges(before, after);
  // A store that lost its currency may take that of its orders.
  const currency = before.currency === null ? after.currency : null;
  const refused = locked.filter((name) =>
    anyOrder.some((order) => name === 'timezone' || order.currency !== currency),
  );
  if (refused.length > 0) {
    const params = Object.fromEntries(refused.map((name) => [name, 'is fixed by the orders']));
    return refuse('setting_locked', { params });
  }
  return {
    write: [
      ...(locked.length > 0 ? requireOrdersIn(currency) : []),
      saveSettings(before, after),
      ...priceProducts(before, after),
    ],
    before: toSettings(before),
    reply: toSettings(after),
  };
}
