import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { Content, ContentQuery } from '../../domain/access/content-schemas.ts';
import { countContent, listContent } from '../../queries/access.ts';

export const listContentEndpoint = endpoint({
  id: 'access.listContent',
  route: ['GET /access/content'],
  summary: 'List protected content',
  access: apiKey('access:read'),
  effect: 'read',
  query: ContentQuery,
  reply: [200, page(Content)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listContent, count: countContent, show: (content) => content }),
);
