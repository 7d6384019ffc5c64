import { administrator } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { Settings, SettingsUpdate } from '../../domain/settings/schemas.ts';
import { changeSettings, loadSettings } from '../../actions/settings/changing.ts';

export const updateSettings = endpoint({
  id: 'me.settings.update',
  route: ['PATCH /me/settings'],
  summary: 'Update the settings of the store',
  description:
    'Changes only the fields you send, also within `unique_code`. The time zone, the currency and its exponent are fixed once there is an order.',
  access: administrator(),
  fresh: [
    'manual_accounts',
    'notification_email',
    'notification_phone',
    'refund_sign_in_above',
    'mail_layout',
    'session_ttl',
  ],
  effect: 'write',
  body: SettingsUpdate,
  reply: [200, record(Settings)],
  errors: ['rest_not_found', 'rest_invalid_param', 'setting_locked'],
}).handle(async ({ body, db, ifMatch, now }) =>
  db.change({
    load: loadSettings(body),
    decide: (loaded) => {
      const change = changeSettings(loaded, body, ifMatch, now);
      return isRefusal(change) ? change : { ...change, reply: one(change.reply) };
    },
  }),
);
