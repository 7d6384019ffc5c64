import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findLicense } from '../../queries/licenses.ts';
import { toLicense } from '../../domain/license/rules.ts';
import { License } from '../../domain/license/schemas.ts';

export const getLicense = endpoint({
  id: 'licenses.get',
  route: ['GET /licenses/:id'],
  summary: 'Get a licence',
  access: apiKey('licenses:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(License)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findLicense(params.id) });
  return found[0] ? one(toLicense(found[0], now)) : refuse('rest_not_found');
});
