import { apiKey, changesPage, endpoint } from '../../kernel/endpoint/declare.ts';
import { readUsers } from '../../actions/users/listing.ts';
import { User, UserQuery } from '../../domain/user/schemas.ts';

export const listUsersEndpoint = endpoint({
  id: 'users.list',
  route: ['GET /users'],
  summary: 'List users',
  description: 'Newest first. Filters combine; `search` covers name, e-mail and phone.',
  access: apiKey('users:read'),
  effect: 'read',
  query: UserQuery,
  reply: [200, changesPage(User)],
}).handle(async ({ query, db, now }) => readUsers(db, query, now));
