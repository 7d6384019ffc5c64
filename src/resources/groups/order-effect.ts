import { userEvent } from '../users/events.ts';
import { toUser, updatedUser } from '../users/rules.ts';
import { orderEffect } from '../orders/effect.ts';
import { findBuyer, findGroupOfProduct, moveUser } from './queries.ts';
import { isDown } from './rules.ts';

/** A completed order can bring its buyer into another group, never into a lower one. */
export const groupEffect = orderEffect({
  name: 'groups',
  errors: [],
  load: (target) => ({ buyer: findBuyer(target), group: findGroupOfProduct(target) }),
  decide: ({ before, after, now }, { buyer: [row], group: [group] }) => {
    const completed = after.status === 'completed' && before?.status !== 'completed';
    if (!completed || !row || !group || row.group?.id === group.id || isDown(row.group, group)) {
      return { write: [] };
    }
    const { user, ...same } = updatedUser(row, {}, now);
    const moved = toUser({ ...same, group, user: { ...user, group_id: group.id } });
    return {
      write: [moveUser(row.user, group.id, now)],
      events: [userEvent('user.group-updated', moved)],
    };
  },
});
