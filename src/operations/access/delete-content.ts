import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { deleteContent, findContent } from '../../queries/access.ts';

export const deleteContentEndpoint = endpoint({
  id: 'access.deleteContent',
  route: ['DELETE /access/content/:id'],
  summary: 'Delete protected content',
  access: apiKey('access:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch }) =>
  db.change({
    load: { found: findContent(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      return { write: [deleteContent(before)], reply: deleted(params.id) };
    },
  }),
);
