import { admin, endpoint, ownPage } from '../../kernel/endpoint/declare.ts';
import { pageParameters } from '../../kernel/lists/query.ts';
import { readUsers } from '../../actions/users/listing.ts';
import { User, UserQuery } from '../../domain/user/schemas.ts';
import { asOwn } from '../../actions/me/rules.ts';

// Lists for administrators in the members' app: the general lists, with a session.

export const listUsersAsAdmin = endpoint({
  id: 'me.users.list',
  route: ['GET /me/users'],
  summary: 'List the users of the store',
  description: 'The same records and filters as `GET /users`, without `updated_since`.',
  access: admin(),
  effect: 'read',
  query: UserQuery.omit({ updated_since: true }).extend({ sort: pageParameters.sort }),
  reply: [200, ownPage(User)],
}).handle(async ({ principal, query, db, now }) =>
  asOwn(principal, await readUsers(db, query, now)),
);
