import * as z from 'zod';
import { mediaPurposes } from '../../schema/media.ts';
import { queryId } from '../../kernel/schemas/parameters.ts';
import { imageTypes } from '../../lib/images/image.ts';
import { textUpTo } from '../../lib/schemas.ts';

/** Bytes. */
export const largestImage = 5 * 1_048_576;

/** Bytes of a form with a picture and a few fields. */
export const largestForm = largestImage + 65_536;

const file = z.file().describe('A JPEG, PNG, GIF or WebP file of at most 5 MiB.');

export const PictureUpload = z.object({ file }).meta({ id: 'PictureUpload' });

export const ImageUpload = z
  .object({
    file,
    purpose: z
      .enum(mediaPurposes)
      .describe(
        '`creative` and `avatar` are public and require the capability `upload_files`. `proof` is uploaded by the buyer of an unpaid order, and visible only to them and administrators.',
      ),
    order_id: queryId
      .optional()
      .describe('The order that a payment proof is for. Required for proofs.'),
  })
  .refine(({ purpose, order_id }) => purpose !== 'proof' || order_id !== undefined, {
    path: ['order_id'],
    message: 'is required for a proof',
  })
  .meta({ id: 'ImageUpload' });
export type ImageUpload = z.output<typeof ImageUpload>;

export const UploadedImage = z
  .object({
    url: z.url().describe('Address of the picture; a proof needs a session token.'),
    key: z.string(),
    width: z.int().describe('In pixels.'),
    height: z.int().describe('In pixels.'),
    type: z.enum(imageTypes),
    size: z.int().describe('In bytes.'),
  })
  .meta({
    id: 'UploadedImage',
    examples: [
      {
        url: 'https://shop.example/media/5vG2nPqLxZt8RwKd1HjYb7CmUe4AsF0o.png',
        key: '5vG2nPqLxZt8RwKd1HjYb7CmUe4AsF0o.png',
        width: 300,
        height: 250,
        type: 'image/png',
        size: 48_211,
      },
    ],
  });
export type UploadedImage = z.output<typeof UploadedImage>;

export const ImageParams = z.object({
  key: textUpTo(60).meta({
    description: 'The `key` of the uploaded picture.',
    examples: ['5vG2nPqLxZt8RwKd1HjYb7CmUe4AsF0o.png'],
  }),
});
