import { open, session } from '../../auth/access.ts';
import { sendIf } from '../../db/statements.ts';
import { endpoint } from '../../http/endpoint.ts';
import { fileAnswer, one, picture, record } from '../../http/envelope.ts';
import { isRefusal, refuse } from '../../http/errors.ts';
import type { Files } from '../../http/files.ts';
import { findOrder } from '../orders/queries.ts';
import { findUser } from '../users/queries.ts';
import { findProof, findPublic, insertMedia } from './queries.ts';
import { type MediaRow, newMedia, toUploadedImage, uploadErrors, uploadRefusal } from './rules.ts';
import { ImageParams, ImageUpload, UploadedImage, largestImage } from './schemas.ts';

/** Room for the form around the file. */
const formSize = 65_536;

export const uploadImage = endpoint({
  id: 'me.uploadImage',
  route: ['POST /me/media/upload-image'],
  summary: 'Upload a picture',
  description:
    'As `multipart/form-data`. The kind is told by the content, whatever the name; a file that is cut short, has more in it than the picture, or claims more than 50 million pixels is refused. `url` of a proof is what a payment confirmation takes as `proof`.',
  access: session(),
  effect: 'write',
  bodyType: 'multipart/form-data',
  bodyLimit: largestImage + formSize,
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
        // The file comes first: without its row it is seen by nobody, and a row never lacks its file.
        first: () => files.put(row.key, bytes, row.type),
        write: [insertMedia(row)],
        reply: one(toUploadedImage(row, config)),
      };
    },
  });
});

async function show(row: Pick<MediaRow, 'key' | 'type' | 'size'> | undefined, files: Files) {
  const stream = row && (await files.get(row.key));
  return stream ? fileAnswer(stream, row.type, row.size) : refuse('rest_not_found');
}

/** Whatever a browser takes the picture for, it runs nothing of it. */
const policy = "default-src 'none'; frame-ancestors 'none'; sandbox";

export const showImage = endpoint({
  id: 'media.get',
  namespace: 'root',
  route: ['GET /media/:key'],
  summary: 'Show a public picture',
  access: open('pictures stand in pages that everybody reads'),
  effect: 'read',
  params: ImageParams,
  reply: [200, picture],
  headers: {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'cross-origin',
  },
  errors: ['rest_not_found'],
}).handle(async ({ params, db, files }) => {
  const { found } = await db.query({ found: findPublic(params.key) });
  return show(found[0], files);
});

export const showProof = endpoint({
  id: 'me.proof',
  route: ['GET /me/media/:key'],
  summary: 'Show a payment proof',
  description: "To who uploaded it, the order's buyer and administrators.",
  access: session(),
  effect: 'read',
  params: ImageParams,
  reply: [200, picture],
  headers: { 'cache-control': 'private, no-store', 'content-security-policy': policy },
  errors: ['rest_not_found'],
}).handle(async ({ principal, params, db, files }) => {
  const { found } = await db.query({ found: findProof(params.key, principal) });
  return show(found[0], files);
});
