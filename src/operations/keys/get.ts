import { consoleSession, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { toKey } from '../../domain/key/rules.ts';
import { ApiKey } from '../../domain/key/schemas.ts';
import { findKey } from '../../queries/keys.ts';

export const getApiKey = endpoint({
  id: 'keys.get',
  namespace: 'console',
  route: ['GET /v1/keys/:id'],
  summary: 'Get an API key',
  access: consoleSession('manage_options'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(ApiKey)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findKey(params.id, now) });
  return found[0] ? one(toKey(found[0], now)) : refuse('rest_not_found');
});
