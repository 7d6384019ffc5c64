import { readGif } from './gif.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { BadImage, ByteReader, type Size } from './reader.ts';
import { readWebp } from './webp.ts';

export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** The first bytes of each format, one character a byte, and its reader. */
const formats: Readonly<Record<ImageType, Format>> = {
  'image/jpeg': { starts: (file) => file.startsWith('\xff\xd8\xff'), read: readJpeg },
  'image/png': { starts: (file) => file.startsWith('\x89PNG\r\n\x1a\n'), read: readPng },
  'image/gif': { starts: (file) => /^GIF8[79]a/.test(file), read: readGif },
  'image/webp': { starts: (file) => /^RIFF[^]{4}WEBP/.test(file), read: readWebp },
};

interface Format {
  readonly starts: (file: string) => boolean;
  readonly read: (file: ByteReader) => Size;
}

/** The largest number of pixels: a small file can claim far more than a viewer has memory for. */
const mostPixels = 50_000_000;

/** Signatures of other formats, such as HTML or PDF, that a program could mistake a picture for. */
const foreign = /<script|<html|<iframe|<svg[\s>]|<!doctype|<\?php|%pdf-/i;

/** The directory at the end of a zip archive, and its greatest distance from the end of the file. */
const zipDirectory = 'PK\x05\x06';
const zipReach = 65_557;

export interface Image extends Size {
  readonly type: ImageType;
}

/** Returns the format that the first bytes name, if any. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  return imageTypes.find((type) => formats[type].starts(start));
}

/**
 * Reads a picture's header and every part to its last byte; the pixels are not decoded.
 * @returns the picture, or the reason why it is none, which completes "The file …"
 */
export function readImage(bytes: Uint8Array, type: ImageType): Image | string {
  try {
    const file = new ByteReader(bytes);
    const { width, height } = formats[type].read(file);
    if (file.left > 0) return 'has data after its end';
    if (width === 0 || height === 0) return 'has no picture in it';
    if (width * height > mostPixels) return `has more than ${mostPixels / 1e6} million pixels`;
    if (isForeign(bytes)) return 'is also a file of another kind';
    return { type, width, height };
  } catch (error) {
    if (error instanceof BadImage) return error.message;
    throw error;
  }
}

function isForeign(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes);
  return foreign.test(text) || text.slice(-zipReach).includes(zipDirectory);
}
