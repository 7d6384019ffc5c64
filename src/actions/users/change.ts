import type { Principal } from '../../kernel/auth/principals.ts';
import type { WriteAccess } from '../../kernel/command/store.ts';
import { one } from '../../kernel/schemas/replies.ts';
import { current, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { stateChanged, userEvent } from '../../domain/user/events.ts';
import { deleteBuyerSponsor } from '../../queries/new-buyers.ts';
import { findStaffRole } from '../../queries/staff.ts';
import {
  findAbove,
  findEmail,
  findExternalIds,
  findUser,
  findUserId,
} from '../../queries/users.ts';
import { keepAdministrator, updateUser } from '../../queries/user-writes.ts';
import {
  isSameUser,
  losesAdministrator,
  staffRefusal,
  takenRefusal,
  toUser,
  updatedUser,
} from '../../domain/user/rules.ts';
import type { User, UserUpdate } from '../../domain/user/schemas.ts';

export const changeErrors = [
  'rest_not_found',
  'rest_forbidden',
  'rest_invalid_param',
  'rest_upline_cycle',
  'user_email_exists',
  'user_external_id_exists',
  'last_administrator',
] as const;

interface ChangeRequest {
  readonly principal: Principal;
  readonly ifMatch: number | undefined;
  readonly now: Date;
}

/** A new sponsor moves the user with everyone below. */
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
      role: findStaffRole(input.staff_role_id),
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
      if (input.staff_role_id && !loaded.role[0]) return unknownReference('staff_role_id');
      if (loaded.above.rows.length > 0) return refuse('rest_upline_cycle');
      const after = updatedUser(before, input, now);
      if (isSameUser(before, after)) return { write: [], reply: one(toUser(before)) };
      return (
        staffRefusal(before, after, principal) ??
        takenRefusal(loaded) ?? {
          write: [
            ...(losesAdministrator(before, after) ? [keepAdministrator(id)] : []),
            ...updateUser(before, after),
            ...(after.user.affiliate_id === before.user.affiliate_id
              ? []
              : [deleteBuyerSponsor(id)]),
          ],
          events: [
            userEvent('user.updated', toUser(after)),
            // Blocked users have no access.
            ...(after.user.status === before.user.status ? [] : [stateChanged(id, 'access')]),
          ],
          before: toUser(before),
          reply: one(toUser(after)),
        }
      );
    },
  });
