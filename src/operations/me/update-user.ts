import { admin } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { record } from '../../kernel/endpoint/envelope.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { changeErrors, changeUser } from '../users/change.ts';
import { User, UserUpdate } from '../../domain/user/schemas.ts';

export const updateUserAsAdmin = endpoint({
  id: 'me.updateUser',
  route: ['PATCH /me/users/:id', 'PUT /me/users/:id', 'POST /me/users/:id'],
  summary: 'Update a user of the store',
  description:
    'As `PATCH /users/{id}`, and the way to make administrators (`roles`), to unmake or block them, and to change what identifies them, which no API key can. The last administrator who is not blocked cannot be removed.',
  access: admin(),
  effect: 'write',
  params: IdParams,
  body: UserUpdate,
  reply: [200, record(User)],
  errors: changeErrors,
}).handle(async ({ params, body, db, ...request }) => changeUser(db, params.id, body, request));
