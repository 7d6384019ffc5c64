import { apiKey, endpoint, one, record } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { sizeOfPart, toProductFile } from '../../domain/file/rules.ts';
import { PartParams, ProductFile, partSize } from '../../domain/file/schemas.ts';
import { findFile, notePart } from '../../queries/files.ts';

export const uploadPart = endpoint({
  id: 'files.uploadPart',
  route: ['PUT /files/:id/parts/:part'],
  summary: 'Upload a part of a file',
  description:
    'Send the bytes with their `Content-Length`: `part_size` bytes, and the rest in the last part. Send parts in any order, in parallel, and again if needed.',
  access: apiKey('files:write'),
  effect: 'write',
  everyday: true,
  secretReply: true,
  conditional: false,
  params: PartParams,
  streamBody: partSize,
  reply: [200, record(ProductFile)],
  errors: ['rest_not_found', 'rest_invalid_param', 'file_not_uploading'],
}).handle(async ({ params: { id, part }, db, files, request, now }) => {
  const { found } = await db.query({ found: findFile(id) });
  const [file] = found;
  if (!file) return refuse('rest_not_found');
  const { upload, size, key } = file;
  const content = request.stream();
  if (!upload || size === null) return refuse('file_not_uploading');
  const expected = sizeOfPart(size, part);
  if (expected === undefined) {
    return refuse('rest_invalid_param', { params: { part: 'is not one of this file' } });
  }
  if (!content || Number(request.header('content-length')) !== expected) {
    return refuse('rest_invalid_param', { params: { body: `must have ${expected} bytes` } });
  }
  const etag = await files.putPart(key, upload.id, part, content);
  const after = { ...file, upload: { ...upload, parts: { ...upload.parts, [part]: etag } } };
  return db.change({
    load: {},
    decide: () => ({
      write: [notePart(file, part, etag, now)],
      reply: one(toProductFile(after)),
    }),
  });
});
