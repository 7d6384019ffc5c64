import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { record } from '../../kernel/endpoint/envelope.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { changeErrors, changeUser } from './change.ts';
import { User, UserUpdate } from '../../domain/user/schemas.ts';

export const updateUserEndpoint = endpoint({
  id: 'users.update',
  route: ['PATCH /users/:id', 'PUT /users/:id', 'POST /users/:id'],
  summary: 'Update a user',
  description:
    'A partial update under each of the three methods. A new sponsor moves the user with everyone below. The group is set at `/users/{id}/group`. Of an administrator the role, the status, e-mail, phone, bank account and external ids are for administrators: `/me/users/{id}`.',
  access: apiKey('users:write'),
  effect: 'write',
  params: IdParams,
  body: UserUpdate,
  reply: [200, record(User)],
  errors: changeErrors,
}).handle(async ({ params, body, db, ...request }) => changeUser(db, params.id, body, request));
