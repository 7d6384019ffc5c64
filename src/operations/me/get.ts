import { endpoint, session } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { loadUser } from '../../queries/users.ts';
import { profileOf } from '../../actions/me/profile.ts';
import { ProfileReply } from '../../actions/me/profile-schemas.ts';

export const getMe = endpoint({
  id: 'me.get',
  route: ['GET /me'],
  summary: 'Get your profile',
  description: 'The user the token acts for, and the session behind it.',
  access: session(),
  effect: 'read',
  etag: true,
  reply: [200, ProfileReply],
  errors: ['rest_not_found'],
}).handle(async ({ principal, db }) => {
  const { found } = await db.query(loadUser({ id: principal.userId }));
  return found[0] ? profileOf(found[0], principal) : refuse('rest_not_found');
});
