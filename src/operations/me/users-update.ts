import { admin, endpoint, IdParams, record } from '../../kernel/endpoint/declare.ts';
import { changeErrors, changeUser } from '../../actions/users/change.ts';
import { User, UserUpdate } from '../../domain/user/schemas.ts';

export const updateUserAsAdmin = endpoint({
  id: 'me.users.update',
  route: ['PATCH /me/users/:id', 'PUT /me/users/:id', 'POST /me/users/:id'],
  summary: 'Update a user of the store',
  description:
    'Works like `PATCH /users/{id}`, and can also do what no API key can: give and take roles (`roles`, `staff_role_id`), block a person with a role in the console, and change the e-mail, phone, bank account and external ids of such a person. A first role in the console ends the sessions of the user. The last administrator who is not blocked cannot be removed.',
  access: admin(),
  effect: 'write',
  params: IdParams,
  body: UserUpdate,
  reply: [200, record(User)],
  errors: changeErrors,
}).handle(async ({ params, body, db, ...request }) => changeUser(db, params.id, body, request));
