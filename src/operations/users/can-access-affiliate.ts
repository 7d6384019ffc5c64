import { apiKey, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { loadUser } from '../../queries/users.ts';
import { affiliateAccess } from '../../domain/user/rules.ts';
import { Entrance, entrance } from '../../actions/users/entrance.ts';

export const canAccessAffiliate = endpoint({
  id: 'users.canAccessAffiliate',
  route: ['GET /users/:id/can-access-affiliate'],
  summary: 'Check whether a user may enter the affiliate area',
  description: 'Says the same as `can_affiliate`, with the reason.',
  access: apiKey('users:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, Entrance('ok', 'group-denied', 'blocked', 'no-capability')],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query(loadUser(params));
  const [row] = found;
  if (!row) return refuse('rest_not_found');
  return entrance(affiliateAccess({ ...row.user, group: row.group }), params.id);
});
