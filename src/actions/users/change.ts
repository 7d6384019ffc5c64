import type { Principal } from '../../kernel/auth/principals.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { current, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { userEvent } from '../../domain/user/events.ts';
import {
  findAbove,
  findEmail,
  findExternalIds,
  findUser,
  findUserId,
  keepAdministrator,
  updateUser,
} from '../../queries/users.ts';
import * as rules from '../../domain/user/rules.ts';
import type { User, UserUpdate } from '../../domain/user/schemas.ts';

/** Errors of changing a user. */
export const changeErrors = [
  'rest_not_found',
  'rest_forbidden',
  'rest_invalid_param',
  'rest_upline_cycle',
  'user_email_exists',
  'user_external_id_exists',
  'last_administrator',
] as const;

/** Who changes a user, when, and over which version if that matters to them. */
interface ChangeRequest {
  readonly principal: Principal;
  readonly ifMatch: number | undefined;
  readonly now: Date;
}

/** Changes a user in part; a new sponsor moves them with everyone below. */
export const changeUser = (
  db: WriteAccess<{ success: true; data: User }>,
  id: number,
  input: UserUpdate,
  { principal, ifMatch, now }: ChangeRequest,
) =>
  db.change({
    load: {
      found: findUser(id),
      sponsor: findUserId(input.affiliate_id),
      above: findAbove(input.affiliate_id, id),
      sameEmail: findEmail(input.email, id),
      sameExternalId: findExternalIds(input.external_ids, id),
    },
    decide: (loaded) => {
      const before = current(loaded.found, ifMatch, 'user');
      if (isRefusal(before)) return before;
      if (input.affiliate_id === id) {
        return refuse('rest_invalid_param', { params: { affiliate_id: 'must be another user' } });
      }
      if (input.affiliate_id && !loaded.sponsor[0]) return unknownReference('affiliate_id');
      if (loaded.above.rows.length > 0) return refuse('rest_upline_cycle');
      const after = rules.updatedUser(before, input, now);
      if (rules.isSameUser(before, after)) return { write: [], reply: one(rules.toUser(before)) };
      return (
        rules.administratorRefusal(before, after, principal) ??
        rules.takenRefusal(loaded) ?? {
          write: [
            ...(rules.losesAdministrator(before, after) ? [keepAdministrator(id)] : []),
            ...updateUser(before, after),
          ],
          events: [userEvent('user.updated', rules.toUser(after))],
          before: rules.toUser(before),
          reply: one(rules.toUser(after)),
        }
      );
    },
  });
