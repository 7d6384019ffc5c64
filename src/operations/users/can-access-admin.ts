import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { loadUser } from '../../queries/users.ts';
import { adminAccess } from '../../domain/user/rules.ts';
import { Entrance, entrance } from '../../actions/users/entrance.ts';

export const canAccessAdmin = endpoint({
  id: 'users.canAccessAdmin',
  route: ['GET /users/:id/can-access-wp-admin'],
  summary: 'Check whether a user may enter the administration',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, Entrance('ok', 'no-capability', 'blocked')],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query(loadUser(params));
  return found[0] ? entrance(adminAccess(found[0].user), params.id) : refuse('rest_not_found');
});
