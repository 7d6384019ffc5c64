import { deflateSync } from 'node:zlib';
import { crc32 } from '../../lib/crc32.ts';

const width = 240;
const height = 320;

/** Red, green and blue of the paper, the writing, a bank's header and the amount. */
const palette = [0xff, 0xff, 0xff, 0xb8, 0xbe, 0xc8, 0x1f, 0x5f, 0xbf, 0x14, 0x7a, 0x46];

/** Draws a receipt as a PNG, with lines in place of words. */
export function receipt(lines: number): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc((width + 1) * height);
  const fill = (colour: number, left: number, top: number, right: number, bottom: number) => {
    for (let y = top; y < bottom; y++) {
      rows.fill(colour, y * (width + 1) + 1 + left, y * (width + 1) + 1 + right);
    }
  };
  fill(2, 0, 0, width, 48);
  for (let line = 0; line < lines; line++) {
    const top = 72 + line * 20;
    fill(1, 20, top, 90 + ((line * 37) % 60), top + 8);
    fill(1, 190, top, 220, top + 8);
  }
  fill(3, 60, 268, 180, 292);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, with a palette.
  header.set([8, 3], 8);
  const parts = [
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named) >>> 0);
  return Buffer.concat([length, named, check]);
}
