import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findGrant } from '../../queries/access.ts';
import { toAccess } from '../../domain/access/rules.ts';
import { Access } from '../../domain/access/schemas.ts';

export const getAccess = endpoint({
  id: 'access.get',
  route: ['GET /access/:id'],
  summary: 'Get an access grant',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Access)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, now }) => {
  const { found } = await db.query({ found: findGrant(params.id) });
  return found[0] ? one(toAccess(found[0], now.toISOString())) : refuse('rest_not_found');
});
