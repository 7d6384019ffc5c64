import { BadImage, type ByteReader, type Size } from './reader.ts';

interface Chunk {
  readonly type: string;
  readonly content: ByteReader;
}

/** Reads a WebP to its end: every chunk. Each frame must lie on the canvas. */
export function readWebp(file: ByteReader): Size {
  file.skip(4);
  const body = file.part(file.uint32(true));
  body.skip(4);
  const parts = chunks(body);
  const [first] = parts;
  if (first?.type !== 'VP8X') {
    const size = first && readPixels(first);
    if (!size || parts.length > 1) throw new BadImage('has no picture in it');
    return size;
  }
  first.content.skip(4);
  const canvas = { width: first.content.uint24() + 1, height: first.content.uint24() + 1 };
  const frames = parts.slice(1).map((part) => readPixels(part) ?? readFrame(part));
  const pictures = frames.filter((size) => size !== undefined);
  if (pictures.length === 0) throw new BadImage('has no picture in it');
  if (pictures.some(({ width, height }) => width > canvas.width || height > canvas.height)) {
    throw new BadImage('is larger than it says');
  }
  return canvas;
}

function chunks(body: ByteReader): Chunk[] {
  const found: Chunk[] = [];
  while (body.left > 0) {
    const type = body.text(4);
    const length = body.uint32(true);
    found.push({ type, content: body.part(length) });
    body.skip(length % 2);
  }
  return found;
}

function readPixels({ type, content }: Chunk): Size | undefined {
  if (type === 'VP8 ') return readLossy(content);
  if (type === 'VP8L') return readLossless(content);
}

function readLossy(content: ByteReader): Size {
  const isKeyFrame = (content.uint24() & 1) === 0;
  if (!isKeyFrame || content.text(3) !== '\x9d\x01\x2a') throw new BadImage('is damaged');
  return { width: content.uint16(true) & 0x3fff, height: content.uint16(true) & 0x3fff };
}

function readLossless(content: ByteReader): Size {
  if (content.byte() !== 0x2f) throw new BadImage('is damaged');
  const bits = content.uint32(true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/**
 * Returns the far corner of an animation's frame.
 * @throws BadImage if the pixels have another size than the frame
 */
function readFrame({ type, content }: Chunk): Size | undefined {
  if (type !== 'ANMF') return undefined;
  const [left, top] = [2 * content.uint24(), 2 * content.uint24()];
  const [width, height] = [content.uint24() + 1, content.uint24() + 1];
  content.skip(4);
  const pixels = chunks(content.part(content.left)).map(readPixels);
  const sizes = pixels.filter((size) => size !== undefined);
  if (sizes.length !== 1) throw new BadImage('has no picture in it');
  if (sizes[0]?.width !== width || sizes[0].height !== height) {
    throw new BadImage('is larger than it says');
  }
  return { width: left + width, height: top + height };
}
