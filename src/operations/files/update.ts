import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { current, isRefusal } from '../../kernel/errors/errors.ts';
import { isSame } from '../../lib/objects.ts';
import { attachmentRefusal, toProductFile, updatedFile } from '../../domain/file/rules.ts';
import { FileUpdate, ProductFile } from '../../domain/file/schemas.ts';
import { findContentOfFile } from '../../queries/access-files.ts';
import { findFile, findProductOfFile, saveFile } from '../../queries/files.ts';

export const updateFile = endpoint({
  id: 'files.update',
  route: ['PATCH /files/:id', 'PUT /files/:id', 'POST /files/:id'],
  summary: 'Update a file',
  description:
    'Changes only the fields you send. `size` starts the upload of a file whose content an import left elsewhere, or restarts an upload.',
  access: apiKey('files:write'),
  effect: 'write',
  params: IdParams,
  body: FileUpdate,
  reply: [200, record(ProductFile)],
  errors: ['rest_not_found', 'rest_invalid_param'],
}).handle(async ({ params: { id }, body, db, files, ifMatch, now }) =>
  db.change({
    load: {
      found: findFile(id),
      product: findProductOfFile(id),
      content: findContentOfFile(id, body.content_id),
    },
    decide: ({ found, product: [product], content: [content] }) => {
      const before = current(found, ifMatch);
      if (isRefusal(before)) return before;
      const after = updatedFile(before, body, now);
      if (isRefusal(after)) return after;
      const refusal = attachmentRefusal(after, product, content);
      const isMoved =
        after.option_id !== before.option_id || after.content_id !== before.content_id;
      if (refusal && isMoved) return refusal;
      if (isSame(before, { ...after, updated_at: before.updated_at, version: before.version })) {
        return { write: [], reply: one(toProductFile(before)) };
      }
      const upload = { id: '', parts: {} };
      const starts = body.size !== undefined && after.status === 'uploading';
      const row = starts ? { ...after, upload } : after;
      return {
        first: async () => {
          // The statement is built before, but reads the id only when it is sent.
          if (starts) upload.id = await files.begin(row.key, row.type);
        },
        write: [saveFile(before, row)],
        before: toProductFile(before),
        reply: one(toProductFile(row)),
      };
    },
  }),
);
