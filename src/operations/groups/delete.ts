import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { deleteGroupRow, findGroup } from '../../queries/groups.ts';
import { findMember } from '../../queries/users.ts';

export const deleteGroup = endpoint({
  id: 'groups.delete',
  route: ['DELETE /user-groups/:id'],
  summary: 'Delete a user group',
  description: 'Only an empty group can be deleted.',
  access: apiKey('user-groups:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'group_has_users'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findGroup(params.id), member: findMember(params.id) },
    decide: ({ found, member }) => {
      const group = current(found, ifMatch);
      if (isRefusal(group)) return group;
      if (member.length > 0) return refuse('group_has_users');
      return { write: [deleteGroupRow(group)], reply: deleted(params.id) };
    },
  }),
);
