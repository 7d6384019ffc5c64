import { anyScope, apiKey } from '../../auth/access.ts';
import { drawId, nextId } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Deleted, one, page, record } from '../../http/envelope.ts';
import { isStale, refuse, unknownReference } from '../../http/errors.ts';
import { pageOf, readPage } from '../../http/pagination.ts';
import { IdParams } from '../../http/parameters.ts';
import { findUnknown, unknownRefusal } from '../../http/references.ts';
import { isSameRecord } from '../../lib/objects.ts';
import { userEvent } from '../users/events.ts';
import { findUser } from '../users/queries.ts';
import { toUser } from '../users/rules.ts';
import {
  countGroups,
  deleteGroupRow,
  findGroup,
  findMember,
  insertGroup,
  listGroups,
  moveUser,
  saveGroup,
} from './queries.ts';
import { groupReferences, inGroup, isDown, newGroup, termsRefusal, updatedGroup } from './rules.ts';
import {
  GroupMove,
  UserGroup,
  UserGroupCreate,
  UserGroupQuery,
  UserGroupUpdate,
} from './schemas.ts';

export const listGroupsEndpoint = endpoint({
  id: 'groups.list',
  route: ['GET /user-groups'],
  summary: 'List user groups',
  access: apiKey('user-groups:read'),
  effect: 'read',
  query: UserGroupQuery,
  reply: [200, page(UserGroup)],
}).handle(async ({ query, db }) => {
  const { rows, total } = await readPage(
    db,
    query,
    (window) => listGroups(query, window),
    () => countGroups(query),
  );
  return pageOf(query, rows, total);
});

export const getGroup = endpoint({
  id: 'groups.get',
  route: ['GET /user-groups/:id'],
  summary: 'Read a user group',
  access: apiKey('user-groups:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(UserGroup)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findGroup(params.id) });
  return found[0] ? one(found[0]) : refuse('rest_not_found');
});

export const createGroup = endpoint({
  id: 'groups.create',
  route: ['POST /user-groups'],
  summary: 'Create a user group',
  description: 'Only `name` is required: everything else is as for a user without a group.',
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

export const updateGroup = endpoint({
  id: 'groups.update',
  route: ['PATCH /user-groups/:id', 'PUT /user-groups/:id', 'POST /user-groups/:id'],
  summary: 'Update a user group',
  description:
    'A partial update under each of the three methods. New rates count for orders placed from then on.',
  access: apiKey('user-groups:write'),
  effect: 'write',
  params: IdParams,
  body: UserGroupUpdate,
  reply: [200, record(UserGroup)],
  errors: ['rest_not_found', 'rest_invalid_param', 'group_name_exists'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findGroup(params.id), unknown: findUnknown(groupReferences(body)) },
    decide: ({ found: [before], unknown }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before)) return refuse('rest_conflict');
      const after = updatedGroup(before, body, now);
      if (isSameRecord(before, after)) return { write: [], reply: one(before) };
      return (
        termsRefusal(after) ??
        unknownRefusal(unknown, groupReferences(before)) ?? {
          write: [saveGroup(before, after)],
          reply: one(after),
        }
      );
    },
  }),
);

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
        reply: one({ id: params.id, deleted: true as const }),
      };
    },
  }),
);

export const getUserGroup = endpoint({
  id: 'users.group',
  route: ['GET /users/:id/group'],
  summary: 'Read the group a user is in',
  description: 'null when the user is in none.',
  access: apiKey('user-groups:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(UserGroup.nullable())],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findUser(params.id) });
  return found[0] ? one(found[0].group) : refuse('rest_not_found');
});

export const setUserGroup = endpoint({
  id: 'users.setGroup',
  route: ['POST /users/:id/group'],
  summary: 'Put a user into a group',
  description: 'Downwards in priority only with `force`. Answers the group the user is then in.',
  access: anyScope('users:write', 'user-groups:write'),
  effect: 'write',
  params: IdParams,
  body: GroupMove,
  reply: [200, record(UserGroup.nullable())],
  errors: ['rest_not_found', 'group_below'],
}).handle(async ({ params, body, db, ifMatch, now }) =>
  db.change({
    load: { found: findUser(params.id), group: findGroup(body.group_id) },
    decide: ({ found: [before], group: [named] }) => {
      if (!before) return refuse('rest_not_found');
      if (isStale(ifMatch, before.user)) return refuse('rest_conflict');
      const group = named ?? null;
      if (body.group_id !== null && !group) return unknownReference('group_id');
      if (before.user.group_id === body.group_id) return { write: [], reply: one(group) };
      if (!body.force && isDown(before.group, group)) return refuse('group_below');
      return {
        write: [moveUser(before.user, body.group_id, now)],
        events: [userEvent('user.group-updated', toUser(inGroup(before, group, now)))],
        reply: one(group),
      };
    },
  }),
);
