import { admin } from '../../kernel/auth/access.ts';
import { sendIf } from '../../kernel/database/statements.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/endpoint/envelope.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { findSettings, findTimeZone, saveSettings } from '../../queries/settings.ts';
import {
  currencyProblem,
  lockedChanges,
  toSettings,
  updatedSettings,
} from '../../domain/settings/rules.ts';
import { Settings, SettingsUpdate } from '../../domain/settings/schemas.ts';
import { priceProducts } from '../../queries/products.ts';
import { findAnyOrder } from '../../queries/orders.ts';
import { requireNoOrder } from '../../queries/order-guards.ts';

export const updateSettings = endpoint({
  id: 'me.settings.update',
  route: ['PATCH /me/settings'],
  summary: 'Update the settings of the store',
  description:
    'Changes only the fields you send, also within `unique_code`. The time zone, the currency and its exponent are fixed once there is an order.',
  access: admin(),
  effect: 'write',
  body: SettingsUpdate,
  reply: [200, record(Settings)],
  errors: ['rest_not_found', 'rest_invalid_param', 'setting_locked'],
}).handle(async ({ body, db, ifMatch, now }) =>
  db.change({
    load: {
      found: findSettings(),
      anyOrder: findAnyOrder(),
      zone: sendIf(body.timezone !== undefined, () => findTimeZone(body.timezone ?? '')),
    },
    decide: ({ found, anyOrder, zone }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      if (body.timezone !== undefined && zone.rows.length === 0) {
        return refuse('rest_invalid_param', { params: { timezone: 'is not known here' } });
      }
      const after = updatedSettings(before, body, now);
      const params = currencyProblem(after);
      if (params) return refuse('rest_invalid_param', { params });
      if (isSameRecord(before, after)) return { write: [], reply: one(toSettings(before)) };
      const locked = lockedChanges(before, after);
      if (locked.length > 0 && anyOrder.length > 0) {
        const params = Object.fromEntries(locked.map((name) => [name, 'is fixed by the orders']));
        return refuse('setting_locked', { params });
      }
      return {
        write: [
          ...(locked.length > 0 ? requireNoOrder() : []),
          saveSettings(before, after),
          ...priceProducts(before, after),
        ],
        before: toSettings(before),
        reply: one(toSettings(after)),
      };
    },
  }),
);
