import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { loadUser } from '../../queries/users.ts';
import { toUser } from '../../domain/user/rules.ts';
import { User } from '../../domain/user/schemas.ts';

export const getUser = endpoint({
  id: 'users.get',
  route: ['GET /users/:id'],
  summary: 'Get a user',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(User)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query(loadUser(params));
  return found[0] ? one(toUser(found[0])) : refuse('rest_not_found');
});
