import { crc32 } from '../../src/lib/crc32.ts';

const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

/** A picture of one pixel in each format, as encoders write them. */
export const pictures = {
  png: bytes(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  jpeg: bytes(
    '/9j/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  ),
  gif: bytes('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  webp: bytes('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
  losslessWebp: bytes('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
  transparentWebp: bytes(
    'UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==',
  ),
  animatedWebp: bytes(
    'UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA',
  ),
};

export const joined = (...parts: (Uint8Array | string)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

export function withBytes(picture: Uint8Array, at: number, ...others: number[]) {
  const copy = picture.slice();
  copy.set(others, at);
  return copy;
}

export function pngChunk(type: string, content: Uint8Array | string): Uint8Array {
  const body = joined(type, content);
  const numbers = new DataView(new ArrayBuffer(8));
  numbers.setUint32(0, body.length - 4);
  numbers.setUint32(4, crc32(body));
  const length = new Uint8Array(numbers.buffer, 0, 4);
  return joined(length, body, new Uint8Array(numbers.buffer, 4, 4));
}

/** The PNG with additional chunks after its header. */
export const pngWith = (...chunks: Uint8Array[]) =>
  joined(pictures.png.subarray(0, 33), ...chunks, pictures.png.subarray(33));

/** The PNG with this size in its header. */
export function pngOf(width: number, height: number): Uint8Array {
  const header = new DataView(pictures.png.slice(16, 29).buffer);
  header.setUint32(0, width);
  header.setUint32(4, height);
  const { png } = pictures;
  return joined(
    png.subarray(0, 8),
    pngChunk('IHDR', new Uint8Array(header.buffer)),
    png.subarray(33),
  );
}
