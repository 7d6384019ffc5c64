import { anyScope, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { userEvent } from '../../domain/user/events.ts';
import { findUser, holdUser, moveUser } from '../../queries/users.ts';
import { toUser } from '../../domain/user/rules.ts';
import { deleteMovesOf, findGroup } from '../../queries/groups.ts';
import { inGroup, isDown } from '../../domain/group/rules.ts';
import { GroupMove, UserGroup } from '../../domain/group/schemas.ts';

export const setUserGroup = endpoint({
  id: 'users.setGroup',
  route: ['POST /users/:id/group'],
  summary: 'Set the group of a user',
  description:
    "Moving a user to a group of lower priority, or to none, requires `force`. Later refunds of orders that gave the user a group change nothing, nor do ends of subscriptions. Returns the user's group afterwards.",
  access: anyScope('users:write', 'user-groups:write'),
  effect: 'write',
  params: IdParams,
  body: GroupMove,
  reply: [200, record(UserGroup.nullable())],
  errors: ['rest_not_found', 'group_below'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findUser(params.id), group: findGroup(body.group_id) },
    decide: ({ found, group: [named] }) => {
      const before = current(found, ifMatch, 'user');
      if (isRefusal(before)) return before;
      const group = named ?? null;
      if (body.group_id !== null && !group) return unknownReference('group_id');
      // The group now stays when the orders that gave it are refunded, or their subscriptions end.
      if (before.user.group_id === body.group_id) {
        return { write: [holdUser(before.user), deleteMovesOf(params.id)], reply: one(group) };
      }
      if (!body.force && isDown(before.group, group)) return refuse('group_below');
      return {
        write: [moveUser(before.user, body.group_id, now), deleteMovesOf(params.id)],
        events: [userEvent('user.group-updated', toUser(inGroup(before, group, now)))],
        reply: one(group),
      };
    },
  }),
);
