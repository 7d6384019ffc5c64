import { apiKey, endpoint, IdParams, record } from '../../kernel/endpoint/declare.ts';
import { changeErrors, changeUser } from '../../actions/users/change.ts';
import { User, UserUpdate } from '../../domain/user/schemas.ts';

export const updateUserEndpoint = endpoint({
  id: 'users.update',
  route: ['PATCH /users/:id', 'PUT /users/:id', 'POST /users/:id'],
  summary: 'Update a user',
  description:
    'Changes only the fields you send. A new sponsor moves the user together with everyone below them. The group is set at `/users/{id}/group`. The roles, status, e-mail, phone, bank account and external ids of a person with a role in the console can be changed only by administrators: in the console, or at `/me/users/{id}`. API keys cannot give or take away such a role.',
  access: apiKey('users:write'),
  fresh: ['roles', 'staff_role_id', 'bank_info', 'bank_account', 'email', 'phone', 'external_ids'],
  effect: 'write',
  params: IdParams,
  body: UserUpdate,
  reply: [200, record(User)],
  errors: changeErrors,
}).handle(async ({ params, body, db, ...request }) => changeUser(db, params.id, body, request));
