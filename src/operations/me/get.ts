import { session } from '../../kernel/auth/access.ts';
import { prepared } from '../../kernel/database/prepared.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { findUser } from '../../queries/users.ts';
import { profileOf } from './rules.ts';
import { ProfileReply } from './schemas.ts';

const read = prepared({ id: 'bigint' }, ({ id }) => ({ found: findUser(id) }));

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
  const { found } = await db.query(read({ id: principal.userId }));
  return found[0] ? profileOf(found[0], principal) : refuse('rest_not_found');
});
