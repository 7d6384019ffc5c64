import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findGroup } from '../../queries/groups.ts';
import { UserGroup } from '../../domain/group/schemas.ts';

export const getGroup = endpoint({
  id: 'groups.get',
  route: ['GET /user-groups/:id'],
  summary: 'Get a user group',
  access: apiKey('user-groups:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(UserGroup)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findGroup(params.id) });
  return found[0] ? one(found[0]) : refuse('rest_not_found');
});
