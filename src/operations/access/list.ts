import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { countGrants, listGrants } from '../../queries/access.ts';
import { toAccess } from '../../domain/access/rules.ts';
import { Access, AccessQuery } from '../../domain/access/schemas.ts';

export const listAccess = endpoint({
  id: 'access.list',
  route: ['GET /access'],
  summary: 'List access grants',
  description:
    'Newest first. A user may hold several grants for one product; `/users/{id}/access-products` shows what they add up to.',
  access: apiKey('access:read'),
  effect: 'read',
  query: AccessQuery,
  reply: [200, page(Access)],
}).handle(async ({ query, db, now }) =>
  readList(db, query, {
    list: (_, window) => listGrants(query, now, window),
    count: () => countGrants(query, now),
    show: (row) => toAccess(row, now.toISOString()),
  }),
);
