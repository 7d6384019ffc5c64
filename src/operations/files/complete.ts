import { apiKey, endpoint, IdParams, one, record } from '../../kernel/endpoint/declare.ts';
import { isRefusal, refuse } from '../../kernel/errors/errors.ts';
import { nextVersion } from '../../lib/versions.ts';
import { completeParts, readyFile, toProductFile } from '../../domain/file/rules.ts';
import { ProductFile } from '../../domain/file/schemas.ts';
import { findFile, saveFile } from '../../queries/files.ts';

export const completeFile = endpoint({
  id: 'files.complete',
  route: ['POST /files/:id/complete'],
  summary: 'Complete the upload of a file',
  description:
    'Joins its parts, and reads them once for the SHA-256, which takes a while for a large file. Can be repeated.',
  access: apiKey('files:write'),
  effect: 'write',
  secretReply: true,
  conditional: false,
  params: IdParams,
  reply: [200, record(ProductFile)],
  errors: ['rest_not_found', 'file_not_uploading', 'file_incomplete'],
}).handle(async ({ params, db, files, now }) => {
  const { found } = await db.query({ found: findFile(params.id) });
  const [file] = found;
  if (!file) return refuse('rest_not_found');
  if (file.status === 'ready') return one(toProductFile(file));
  if (!file.upload) return refuse('file_not_uploading');
  const parts = completeParts(file);
  if (isRefusal(parts)) return parts;
  await files.complete(file.key, file.upload.id, parts);
  const sha256 = await files.digest(file.key);
  if (sha256 === null) return refuse('file_not_uploading');
  const after = { ...readyFile(file, sha256), ...nextVersion(file, now) };
  return db.change({
    load: {},
    decide: () => ({ write: [saveFile(file, after)], reply: one(toProductFile(after)) }),
  });
});
