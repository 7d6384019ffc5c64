import { withoutUndefined } from '../../lib/objects.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { type Refusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import type { ContentRow } from '../../schema/access.ts';
import type { FileRow } from '../../schema/files.ts';
import type { ProductRow } from '../product/rules.ts';
import {
  type FileCreate,
  type FileUpdate,
  type ProductFile,
  largestFormFile,
  partSize,
} from './schemas.ts';

/** Replaces an unsafe media type by that of plain bytes. */
export const mediaType = (type: string): string =>
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i.test(type)
    ? type.toLowerCase()
    : 'application/octet-stream';

const newKey = () => `files/${randomBase62(32)}`;

export function newFile(
  { file, ...fields }: FileCreate & { name: string },
  id: number,
  now: Date,
): FileRow {
  return {
    ...{ option_id: null, content_id: null, release: '', position: 0, size: file?.size ?? null },
    ...withoutUndefined(fields),
    id,
    type: mediaType(fields.type ?? file?.type ?? ''),
    sha256: null,
    status: 'uploading',
    key: newKey(),
    upload: null,
    source_url: null,
    deleted_at: null,
    ...firstVersion(now.toISOString()),
  };
}

export const readyFile = (file: FileRow, sha256: string): FileRow => ({
  ...file,
  sha256,
  status: 'ready',
  upload: null,
});

export function sizeOfFormRefusal(
  file: File,
): Refusal<'rest_invalid_param' | 'rest_payload_too_large'> | undefined {
  if (file.size === 0)
    return refuse('rest_invalid_param', { params: { file: 'must not be empty' } });
  if (file.size <= largestFormFile) return undefined;
  return refuse('rest_payload_too_large', {
    message: `A form takes files up to ${largestFormFile} bytes. Send a larger one in parts.`,
  });
}

export function attachmentRefusal(
  { option_id, content_id, product_id }: Pick<FileRow, 'option_id' | 'content_id' | 'product_id'>,
  product: ProductRow | undefined,
  content: ContentRow | undefined,
): Refusal<'rest_not_found'> | undefined {
  if (!product) return unknownReference('product_id');
  const options = product.product.variants.flatMap((group) => group.options);
  if (option_id !== null && !options.some(({ id }) => id === option_id)) {
    return unknownReference('option_id');
  }
  const isOfProduct = content?.product_ids.includes(product_id) === true;
  return content_id === null || isOfProduct ? undefined : unknownReference('content_id');
}

/** A size starts the upload of a file that has no content yet. */
export function updatedFile(
  before: FileRow,
  { size, ...fields }: FileUpdate,
  now: Date,
): FileRow | Refusal<'rest_invalid_param'> {
  if (size !== undefined && size !== before.size && before.status === 'ready') {
    return refuse('rest_invalid_param', { params: { size: 'must not be changed: it is ready' } });
  }
  return {
    ...before,
    ...withoutUndefined(fields),
    ...(size !== undefined &&
      before.status !== 'ready' && {
        size,
        status: 'uploading' as const,
        upload: null,
        key: newKey(),
      }),
    ...nextVersion(before, now),
  };
}

export const partsOf = (size: number): number => Math.ceil(size / partSize);

/** The bytes of a part; undefined if there is no such part. */
export function sizeOfPart(size: number, part: number): number | undefined {
  const left = size - (part - 1) * partSize;
  return left <= 0 ? undefined : Math.min(left, partSize);
}

const uploaded = ({ upload }: FileRow): number[] =>
  Object.keys(upload?.parts ?? {})
    .map(Number)
    .sort((a, b) => a - b);

/** Returns the tags of all parts in order, or a refusal if one is missing. */
export function completeParts(
  file: FileRow,
): readonly { partNumber: number; etag: string }[] | Refusal<'file_incomplete'> {
  const { upload, size } = file;
  const parts = uploaded(file).map((partNumber) => ({
    partNumber,
    etag: upload?.parts[partNumber] ?? '',
  }));
  return parts.length === partsOf(size ?? 0) ? parts : refuse('file_incomplete');
}

export function toProductFile(row: FileRow): ProductFile {
  const { upload, size } = row;
  return {
    ...row,
    upload: upload && {
      part_size: partSize,
      parts: partsOf(size ?? 0),
      uploaded: uploaded(row),
    },
  };
}
