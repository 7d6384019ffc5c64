import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { drawId, nextId } from '../../kernel/database/statements.ts';
import { findUnknown, unknownRefusal } from '../../queries/references.ts';
import { insertGroup } from '../../queries/groups.ts';
import { groupReferences, newGroup, termsRefusal } from '../../domain/group/rules.ts';
import { UserGroup, UserGroupCreate } from '../../domain/group/schemas.ts';

export const createGroup = endpoint({
  id: 'groups.create',
  route: ['POST /user-groups'],
  summary: 'Create a user group',
  description:
    'Only `name` is required; by default its members are treated like users without a group.',
  access: apiKey('user-groups:write'),
  effect: 'write',
  body: UserGroupCreate,
  reply: [201, record(UserGroup)],
  errors: ['rest_not_found', 'rest_invalid_param', 'group_name_exists'],
}).handle(async ({ body, db, now }) =>
  db.change({
    load: { id: drawId('user_groups'), unknown: findUnknown(groupReferences(body)) },
    decide: ({ id, unknown }) => {
      const group = newGroup(body, nextId(id), now);
      return (
        termsRefusal(group) ??
        unknownRefusal(unknown) ?? { write: [insertGroup(group)], reply: one(group) }
      );
    },
  }),
);
