import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { userEvent } from '../../domain/user/events.ts';
import { type UserRow, isSameUser, toUser, updatedUser } from '../../domain/user/rules.ts';
import type { UserUpdate } from '../../domain/user/schemas.ts';
import { saveUser } from '../../queries/user-writes.ts';

export function changedSelf(found: readonly UserRow[], input: UserUpdate, now: Date) {
  const before = current(found, undefined, 'user');
  if (isRefusal(before)) return before;
  const after = updatedUser(before, input, now);
  return isSameUser(before, after)
    ? { write: [] }
    : { write: saveUser(before, after), events: [userEvent('user.updated', toUser(after))] };
}
