import { consoleSession } from '../../kernel/auth/access.ts';
import { endpoint } from '../../kernel/endpoint/endpoint.ts';
import { one, record } from '../../kernel/schemas/replies.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { findConsoleSession } from '../../queries/console.ts';
import { insertMedia } from '../../queries/media.ts';
import { newMedia, pictureErrors, toUploadedImage } from '../../domain/media/rules.ts';
import { PictureUpload, UploadedImage, largestForm } from '../../domain/media/schemas.ts';

export const uploadPicture = endpoint({
  id: 'media.upload',
  namespace: 'console',
  route: ['POST /v1/media'],
  summary: 'Upload a public picture',
  description:
    'As `multipart/form-data`: a picture for a product. Everybody may open its `url`. The same files are refused as by `POST /me/media/upload-image`.',
  access: consoleSession('upload_files'),
  effect: 'write',
  bodyType: 'multipart/form-data',
  bodyLimit: largestForm,
  body: PictureUpload,
  reply: [201, record(UploadedImage)],
  errors: pictureErrors,
}).handle(async ({ principal, body, db, files, config, now }) => {
  const bytes = new Uint8Array(await body.file.arrayBuffer());
  return db.change({
    load: { session: findConsoleSession({ prefix: principal.prefix }) },
    decide: () => {
      const row = newMedia(bytes, { purpose: 'creative' }, principal.row.user_id, now);
      if (isRefusal(row)) return row;
      return {
        first: () => files.put(row.key, bytes, row.type),
        write: [insertMedia(row)],
        reply: one(toUploadedImage(row, config)),
      };
    },
  });
});
