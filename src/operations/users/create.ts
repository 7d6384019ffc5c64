import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { unknownReference } from '../../kernel/errors/errors.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { stateChanged, userEvent } from '../../domain/user/events.ts';
import { findGroup } from '../../queries/groups.ts';
import { findStaffRole } from '../../queries/staff.ts';
import { findEmail, findExternalIds, findUserId } from '../../queries/users.ts';
import { insertUser } from '../../queries/user-writes.ts';
import { newUser, staffRefusal, takenRefusal, toUser } from '../../domain/user/rules.ts';
import { User, UserCreate } from '../../domain/user/schemas.ts';

export const createUser = endpoint({
  id: 'users.create',
  route: ['POST /users'],
  summary: 'Create a user',
  description: 'Only `email` is required. Any existing user can be the sponsor (`affiliate_id`).',
  access: apiKey('users:write'),
  fresh: ['roles', 'staff_role_id', 'bank_info', 'bank_account'],
  effect: 'write',
  everyday: true,
  body: UserCreate,
  reply: [201, record(User)],
  errors: ['rest_not_found', 'rest_forbidden', 'user_email_exists', 'user_external_id_exists'],
}).handle(async ({ body, db, principal, now }) =>
  db.change({
    load: {
      id: drawId('users'),
      sponsor: findUserId(body.affiliate_id),
      group: findGroup(body.group_id),
      role: findStaffRole(body.staff_role_id),
      sameEmail: findEmail(body.email, 0),
      sameExternalId: findExternalIds(body.external_ids, 0),
    },
    decide: (loaded) => {
      const group = loaded.group[0] ?? null;
      if (body.affiliate_id && !loaded.sponsor[0]) return unknownReference('affiliate_id');
      if (body.group_id && !group) return unknownReference('group_id');
      if (body.staff_role_id && !loaded.role[0]) return unknownReference('staff_role_id');
      const user = newUser(body, group, nextId(loaded.id), now);
      return (
        staffRefusal(undefined, user, principal) ??
        takenRefusal(loaded) ?? {
          write: insertUser(user),
          events: [
            userEvent('user.created', toUser(user)),
            ...(group ? [stateChanged(user.user.id, 'group')] : []),
          ],
          reply: one(toUser(user)),
        }
      );
    },
  }),
);
