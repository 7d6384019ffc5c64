import { administrator } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findSettings } from '../../queries/settings.ts';
import { toSettings } from '../../domain/settings/rules.ts';
import { Settings } from '../../domain/settings/schemas.ts';

export const getSettings = endpoint({
  id: 'me.settings.get',
  route: ['GET /me/settings'],
  summary: 'Get the settings of the store',
  access: administrator(),
  effect: 'read',
  reply: [200, record(Settings)],
  errors: ['rest_not_found'],
}).handle(async ({ db }) => {
  const { found } = await db.query({ found: findSettings() });
  return found[0] ? one(toSettings(found[0])) : refuse('rest_not_found');
});
