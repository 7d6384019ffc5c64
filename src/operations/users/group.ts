import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { loadUser } from '../../queries/users.ts';
import { UserGroup } from '../../domain/group/schemas.ts';

export const getUserGroup = endpoint({
  id: 'users.group',
  route: ['GET /users/:id/group'],
  summary: 'Get the group of a user',
  description: '`data` is null when the user is in no group.',
  access: apiKey('user-groups:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(UserGroup.nullable())],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query(loadUser(params));
  return found[0] ? one(found[0].group) : refuse('rest_not_found');
});
