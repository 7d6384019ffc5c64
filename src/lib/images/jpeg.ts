import { BadImage, type ByteReader, type Size } from './reader.ts';

const startOfScan = 0xda;
const end = 0xd9;

/** Markers that begin a frame: 0xC0–0xCF except three with other meanings. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Markers without a length, which are valid only in a scan's data. */
const isBare = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Reads a JPEG to its end: every segment, and the data of every scan. */
export function readJpeg(file: ByteReader): Size {
  file.skip(2);
  let size: Size | undefined;
  let hasPixels = false;
  for (;;) {
    const marker = nextMarker(file);
    if (marker === end) {
      if (!size || !hasPixels) throw new BadImage('has no picture in it');
      return size;
    }
    const length = isBare(marker) ? 0 : file.uint16();
    if (length < 2) throw new BadImage('is damaged');
    const segment = file.part(length - 2);
    if (isFrame(marker)) {
      if (size) throw new BadImage('has parts out of order');
      segment.skip(1);
      const height = segment.uint16();
      size = { width: segment.uint16(), height };
    }
    if (marker === startOfScan) {
      if (!size) throw new BadImage('has parts out of order');
      hasPixels = true;
      passScan(file);
    }
  }
}

function nextMarker(file: ByteReader): number {
  if (file.byte() !== 0xff) throw new BadImage('is damaged');
  let marker = file.byte();
  while (marker === 0xff) marker = file.byte();
  return marker;
}

/** Skips a scan's data, in which 0xFF is followed by 0x00 or is a restart marker. */
function passScan(file: ByteReader): void {
  const { bytes } = file;
  for (let at = file.position; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : bytes[at + 1];
    if (next === undefined) throw new BadImage('is cut short');
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) continue;
    file.position = at;
    return;
  }
}
