import { apiKey, endpoint, page } from '../../kernel/endpoint/declare.ts';
import { readList } from '../../kernel/lists/read.ts';
import { toProductFile } from '../../domain/file/rules.ts';
import { FileQuery, ProductFile } from '../../domain/file/schemas.ts';
import { countFiles, listFiles } from '../../queries/files.ts';

export const listFilesEndpoint = endpoint({
  id: 'files.list',
  route: ['GET /files'],
  summary: 'List files',
  access: apiKey('files:read'),
  effect: 'read',
  query: FileQuery,
  reply: [200, page(ProductFile)],
}).handle(async ({ query, db }) =>
  readList(db, query, { list: listFiles, count: countFiles, show: toProductFile }),
);
