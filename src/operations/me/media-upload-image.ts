import { endpoint, one, record, session } from '../../kernel/endpoint/declare.ts';
import { sendIf } from '../../kernel/database/statements.ts';
import { isRefusal } from '../../kernel/errors/errors.ts';
import { findOrder } from '../../queries/orders.ts';
import { findUser } from '../../queries/users.ts';
import { insertMedia } from '../../queries/media.ts';
import {
  newMedia,
  toUploadedImage,
  uploadErrors,
  uploadRefusal,
} from '../../domain/media/rules.ts';
import { ImageUpload, UploadedImage, largestForm } from '../../domain/media/schemas.ts';

export const uploadImage = endpoint({
  id: 'me.media.uploadImage',
  route: ['POST /me/media/upload-image'],
  summary: 'Upload a picture',
  description:
    'As `multipart/form-data`. The type is detected from the content, whatever the file name. A file that is truncated, contains anything besides the picture, or claims more than 50 million pixels is refused. Pass the `url` of a payment proof as `proof` of the confirmation.',
  access: session(),
  effect: 'write',
  bodyType: 'multipart/form-data',
  bodyLimit: largestForm,
  body: ImageUpload,
  reply: [201, record(UploadedImage)],
  errors: uploadErrors,
}).handle(async ({ principal, body, db, files, config, now }) => {
  const bytes = new Uint8Array(await body.file.arrayBuffer());
  return db.change({
    load: {
      me: findUser(principal.userId),
      found: sendIf(body.purpose === 'proof', () => findOrder(body.order_id ?? 0)),
    },
    decide: ({ me, found }) => {
      const refusal = uploadRefusal(body, principal, me[0], found[0]?.order);
      if (refusal) return refusal;
      const row = newMedia(bytes, body, principal.userId, now);
      if (isRefusal(row)) return row;
      return {
        // The file is stored first: nobody sees it without its row, and no row lacks its file.
        first: () => files.put(row.key, bytes, row.type),
        write: [insertMedia(row)],
        reply: one(toUploadedImage(row, config)),
      };
    },
  });
});
