import { BadImage, type ByteReader, type Size } from './reader.ts';

const extension = 0x21;
const frame = 0x2c;
const trailer = 0x3b;

/** Reads a GIF to its end: every block. Each frame must lie on the canvas. */
export function readGif(file: ByteReader): Size {
  file.skip(6);
  const size = { width: file.uint16(true), height: file.uint16(true) };
  const flags = file.byte();
  file.skip(2);
  passColours(file, flags);
  let hasPixels = false;
  for (;;) {
    const block = file.byte();
    if (block === trailer) {
      if (!hasPixels) throw new BadImage('has no picture in it');
      return size;
    }
    if (block === frame) {
      readFrame(file, size);
      hasPixels = true;
    } else if (block === extension) file.skip(1);
    else throw new BadImage('is damaged');
    passBlocks(file);
  }
}

function readFrame(file: ByteReader, { width, height }: Size): void {
  const [left, top] = [file.uint16(true), file.uint16(true)];
  const [right, bottom] = [left + file.uint16(true), top + file.uint16(true)];
  if (right > width || bottom > height) throw new BadImage('is larger than it says');
  passColours(file, file.byte());
  const codeSize = file.byte();
  if (codeSize < 1 || codeSize > 8) throw new BadImage('is damaged');
}

function passColours(file: ByteReader, flags: number): void {
  if (flags & 0x80) file.skip(3 * 2 ** ((flags & 7) + 1));
}

/** Skips blocks of data up to an empty one. */
function passBlocks(file: ByteReader): void {
  for (let length = file.byte(); length > 0; length = file.byte()) file.skip(length);
}
