import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { findUnknown, unknownRefusal } from '../../queries/references.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { findGroup, saveGroup } from '../../queries/groups.ts';
import { groupReferences, termsRefusal, updatedGroup } from '../../domain/group/rules.ts';
import { UserGroup, UserGroupUpdate } from '../../domain/group/schemas.ts';

export const updateGroup = endpoint({
  id: 'groups.update',
  route: ['PATCH /user-groups/:id', 'PUT /user-groups/:id', 'POST /user-groups/:id'],
  summary: 'Update a user group',
  description: 'Changes only the fields you send. New rates apply to orders placed from then on.',
  access: apiKey('user-groups:write'),
  effect: 'write',
  params: IdParams,
  body: UserGroupUpdate,
  reply: [200, record(UserGroup)],
  errors: ['rest_not_found', 'rest_invalid_param', 'group_name_exists'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findGroup(params.id), unknown: findUnknown(groupReferences(body)) },
    decide: ({ found, unknown }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const after = updatedGroup(before, body, now);
      if (isSameRecord(before, after)) return { write: [], reply: one(before) };
      return (
        termsRefusal(after) ??
        unknownRefusal(unknown, groupReferences(before)) ?? {
          write: [saveGroup(before, after)],
          before,
          reply: one(after),
        }
      );
    },
  }),
);
