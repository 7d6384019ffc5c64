import { endpoint, Ignored, session } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { userEvent } from '../../domain/user/events.ts';
import { loadUser } from '../../queries/users.ts';
import { saveUser } from '../../queries/user-writes.ts';
import { isSameUser, toUser, updatedUser } from '../../domain/user/rules.ts';
import { profileOf } from '../../actions/me/profile.ts';
import { ProfileReply, ProfileUpdate } from '../../actions/me/profile-schemas.ts';

export const updateProfile = endpoint({
  id: 'me.profile.update',
  route: ['PATCH /me/profile', 'POST /me/profile'],
  summary: 'Update your profile',
  access: session(),
  effect: 'write',
  body: ProfileUpdate,
  reply: [200, ProfileReply.extend({ meta: Ignored.optional() })],
  errors: ['rest_not_found'],
}).handle(async ({ principal, body, db, ifMatch, now }) =>
  db.change({
    load: loadUser({ id: principal.userId }),
    decide: ({ found }) => {
      const before = current(found, ifMatch, 'user');
      if (isRefusal(before)) return before;
      const after = updatedUser(before, body, now);
      if (isSameUser(before, after)) return { write: [], reply: profileOf(before, principal) };
      return {
        write: saveUser(before, after),
        events: [userEvent('user.updated', toUser(after))],
        reply: profileOf(after, principal),
      };
    },
  }),
);
