import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { Content } from '../../domain/access/content-schemas.ts';
import { findContent } from '../../queries/access.ts';

export const getContent = endpoint({
  id: 'access.getContent',
  route: ['GET /access/content/:id'],
  summary: 'Get protected content',
  access: apiKey('access:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(Content)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findContent(params.id) });
  return found[0] ? one(found[0]) : refuse('rest_not_found');
});
