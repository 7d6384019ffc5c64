import { apiKey, deleted, Deleted, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { nextVersion } from '../../lib/versions.ts';
import { toProductFile } from '../../domain/file/rules.ts';
import { findFile, saveFile } from '../../queries/files.ts';

export const deleteFile = endpoint({
  id: 'files.delete',
  route: ['DELETE /files/:id'],
  summary: 'Delete a file',
  description: 'Downloads end at once; the object is removed from the bucket soon after.',
  access: apiKey('files:delete'),
  effect: 'write',
  params: IdParams,
  reply: [200, Deleted],
  errors: ['rest_not_found'],
}).handle(async ({ params, db, ifMatch, now }) =>
  db.change({
    load: { found: findFile(params.id) },
    decide: ({ found }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const gone = { ...before, deleted_at: now.toISOString(), ...nextVersion(before, now) };
      return {
        write: [saveFile(before, gone)],
        before: toProductFile(before),
        reply: deleted(params.id),
      };
    },
  }),
);
