import { apiKey } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { Deleted, deletedRecord, one } from '../../kernel/endpoint/envelope.ts';
import { isStale, refuse } from '../../kernel/errors/errors.ts';
import { IdParams } from '../../kernel/endpoint/parameters.ts';
import { deleteGroupRow, findGroup } from '../../queries/groups.ts';
import { findMember } from '../../queries/users.ts';

export const deleteGroup = endpoint({
  id: 'groups.delete',
  route: ['DELETE /user-groups/:id'],
  summary: 'Delete a user group',
  description: 'Only one that nobody is in.',
  access: apiKey('user-groups:write'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found', 'group_has_users'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findGroup(params.id), member: findMember(params.id) },
    decide: ({ found: [group], member }) => {
      if (!group) return refuse('rest_not_found');
      if (isStale(ifMatch, group)) return refuse('rest_conflict');
      if (member.length > 0) return refuse('group_has_users');
      return {
        write: [deleteGroupRow(group)],
        reply: one(deletedRecord(params.id)),
      };
    },
  }),
);
