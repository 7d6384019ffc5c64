import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countGroups, listGroups } from '../../queries/groups.ts';
import { UserGroup, UserGroupQuery } from '../../domain/group/schemas.ts';

export const listGroupsEndpoint = endpoint({
  id: 'groups.list',
  route: ['GET /user-groups'],
  summary: 'List user groups',
  access: apiKey('user-groups:read'),
  effect: 'read',
  query: UserGroupQuery,
  reply: [200, page(UserGroup)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listGroups, count: countGroups, show: (group) => group }),
);
