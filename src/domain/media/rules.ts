import type { SessionPrincipal } from '../../kernel/auth/principals.ts';
import { capabilitiesOf } from '../user/capabilities.ts';
import { type Config, prefixes } from '../../config.ts';
import { type Refusal, isRefusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import { randomBase62 } from '../../lib/base62.ts';
import { type Image, type ImageType, imageType, readImage } from '../../lib/images/image.ts';
import type { OrderColumns } from '../../schema/orders.ts';
import { isUnpaid } from '../order/transitions.ts';
import type { UserRow } from '../user/rules.ts';
import { type ImageUpload, type UploadedImage, largestImage } from './schemas.ts';
import { type MediaRow, publicPurposes } from '../../schema/media.ts';

export const extensions: Readonly<Record<ImageType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

export const pictureErrors = [
  'rest_invalid_param',
  'rest_payload_too_large',
  'rest_unsupported_media_type',
] as const;

export const uploadErrors = [
  ...pictureErrors,
  'rest_forbidden',
  'rest_not_found',
  'order_not_payable',
] as const;

type PictureRefusal = Refusal<(typeof pictureErrors)[number]>;

export function uploadRefusal(
  { purpose }: Pick<ImageUpload, 'purpose'>,
  { userId, isAdmin }: SessionPrincipal,
  me: UserRow | undefined,
  order: OrderColumns | undefined,
): Refusal<(typeof uploadErrors)[number]> | undefined {
  if (purpose !== 'proof') {
    const mayUpload = me !== undefined && capabilitiesOf(me.user).includes('upload_files');
    return mayUpload
      ? undefined
      : refuse('rest_forbidden', { message: 'You may upload payment proofs only.' });
  }
  if (!order || (order.user_id !== userId && !isAdmin)) return unknownReference('order_id');
  return isUnpaid(order.status) ? undefined : refuse('order_not_payable');
}

function checkedImage(bytes: Uint8Array): Image | PictureRefusal {
  if (bytes.length > largestImage) {
    return refuse('rest_payload_too_large', {
      message: `A picture may have ${largestImage} bytes at most.`,
    });
  }
  const type = imageType(bytes);
  if (!type) {
    return refuse('rest_unsupported_media_type', {
      message: 'The file is not a JPEG, PNG, GIF or WebP.',
      params: { file: 'must be a JPEG, PNG, GIF or WebP' },
    });
  }
  const image = readImage(bytes, type);
  if (typeof image !== 'string') return image;
  return refuse('rest_invalid_param', {
    message: `The file ${image}. Save the picture again.`,
    params: { file: image },
  });
}

/** Returns the row of a picture under a new random key, or the reason for a refusal. */
export function newMedia(
  bytes: Uint8Array,
  { purpose, order_id }: Pick<ImageUpload, 'purpose' | 'order_id'>,
  user_id: number,
  now: Date,
): MediaRow | PictureRefusal {
  const image = checkedImage(bytes);
  if (isRefusal(image)) return image;
  return {
    key: `${randomBase62(32)}.${extensions[image.type]}`,
    user_id,
    purpose,
    order_id: purpose === 'proof' ? (order_id ?? null) : null,
    ...image,
    size: bytes.length,
    created_at: now.toISOString(),
    deleted_at: null,
  };
}

/** The addresses of public pictures and of payment proofs. */
const placesOf = ({ REST_ROOT }: Config) => ({
  public: '/media',
  proofs: `${prefixes(REST_ROOT).api}/me/media`,
});

export function toUploadedImage(row: MediaRow, config: Config): UploadedImage {
  const place = publicPurposes.includes(row.purpose) ? 'public' : 'proofs';
  return { ...row, url: `${config.BASE_URL}${placesOf(config)[place]}/${row.key}` };
}

/** Undefined for an address outside the service. */
export function keyAt(address: string, config: Config): string | undefined {
  if (!URL.canParse(address, config.BASE_URL)) return undefined;
  const { origin, pathname } = new URL(address, config.BASE_URL);
  if (origin !== new URL(config.BASE_URL).origin) return undefined;
  const place = Object.values(placesOf(config)).find((path) => pathname.startsWith(`${path}/`));
  return place && pathname.slice(place.length + 1);
}
