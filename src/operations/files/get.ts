import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { toProductFile } from '../../domain/file/rules.ts';
import { ProductFile } from '../../domain/file/schemas.ts';
import { findFile } from '../../queries/files.ts';

export const getFile = endpoint({
  id: 'files.get',
  route: ['GET /files/:id'],
  summary: 'Get a file',
  description: 'Returns the record of the file, not its content.',
  access: apiKey('files:read'),
  effect: 'read',
  params: IdParams,
  reply: [200, record(ProductFile)],
  errors: ['rest_not_found'],
}).handle(async ({ params, db }) => {
  const { found } = await db.query({ found: findFile(params.id) });
  return found[0] ? one(toProductFile(found[0])) : refuse('rest_not_found');
});
