import { crc32 } from '../crc32.ts';
import { BadImage, type ByteReader, type Size } from './reader.ts';

/** Bit depths by colour type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Chunks that a decoder must understand. */
const critical = ['IHDR', 'PLTE', 'IDAT', 'IEND'];

/** Reads a PNG to its end: every chunk, and all checksums except those of the pixels. */
export function readPng(file: ByteReader): Size {
  file.skip(8);
  let size: Size | undefined;
  let hasPixels = false;
  for (;;) {
    const length = file.uint32();
    const start = file.position;
    const type = file.text(4);
    const content = file.part(length);
    const sum = file.uint32();
    if ((type === 'IHDR') !== (size === undefined)) throw new BadImage('has parts out of order');
    // The pixels are most of the file, and every decoder checks them.
    if (type !== 'IDAT' && crc32(file.bytes.subarray(start, start + 4 + length)) !== sum) {
      throw new BadImage('is damaged');
    }
    if (/^[A-Z]/.test(type) && !critical.includes(type)) throw new BadImage('has unknown parts');
    if (type === 'IHDR') size = readHeader(content);
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND') {
      if (!size || !hasPixels || length > 0) throw new BadImage('has no picture in it');
      return size;
    }
  }
}

function readHeader(header: ByteReader): Size {
  const size = { width: header.uint32(), height: header.uint32() };
  const [depth, colour] = [header.byte(), header.byte()];
  const [compression, filter, interlace] = [header.byte(), header.byte(), header.byte()];
  const known = depths[colour]?.includes(depth) && interlace <= 1;
  if (!known || compression > 0 || filter > 0 || header.left > 0) throw new BadImage('is damaged');
  return size;
}
