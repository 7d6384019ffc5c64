import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageType, readImage } from '../../src/lib/images/image.ts';
import { joined, pictures, pngChunk, pngOf, pngWith, withBytes } from './pictures.ts';

/** Returns the size of a picture, or the reason for its refusal; undefined for an unknown type. */
function read(file: Uint8Array) {
  const type = imageType(file);
  return type && readImage(file, type);
}

const all = Object.entries(pictures);

describe('A picture', () => {
  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
    ['losslessWebp', 'image/webp'],
    ['transparentWebp', 'image/webp'],
    ['animatedWebp', 'image/webp'],
  ] as const)('of kind %s is read to its last byte', (name, type) => {
    expect(read(pictures[name])).toEqual({ type, width: 1, height: 1 });
  });

  test('has the size that its own header says', () => {
    expect(read(pngOf(7000, 7000))).toEqual({ type: 'image/png', width: 7000, height: 7000 });
    expect(read(withSize(258, 772))).toMatchObject({ width: 772, height: 258 });
    expect(read(withBytes(pictures.gif, 6, 3, 1, 2, 0))).toMatchObject({ width: 259, height: 2 });
    expect(read(withBytes(pictures.webp, 26, 9, 0, 8, 0))).toMatchObject({ width: 9, height: 8 });
  });

  test('may carry notes', () => {
    expect(read(pngWith(pngChunk('tEXt', 'Software\0Camera')))).toMatchObject({ width: 1 });
  });
});

describe('A file that is no picture of these kinds is not read', () => {
  test.each([
    ['nothing', ''],
    ['a drawing of text', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page', '<html></html>'],
    ['a PDF', '%PDF-1.7'],
    ['an archive', 'PK\x03\x04'],
    ['a bitmap', 'BM'],
    ['another RIFF', 'RIFF\x04\0\0\0WAVE'],
    ['a word', 'GIF90a'],
  ])('%s', (_, text) => {
    expect(imageType(joined(text))).toBeUndefined();
  });
});

describe.each(all)('A file that begins as a %s is refused', (_, picture) => {
  test('when it is cut short at any byte', () => {
    for (let length = 12; length < picture.length; length++) {
      expect(typeof (read(picture.subarray(0, length)) ?? ''), `${length} bytes`).toBe('string');
    }
  });

  test('when anything follows its end', () => {
    for (const more of ['\0', 'PK\x05\x06', '<script>alert(1)</script>', '%PDF-1.7', picture]) {
      expect(read(joined(picture, more))).toBe('has data after its end');
    }
  });

  test('or read, but never with an internal error, whatever its bytes are', () => {
    const start = picture.subarray(0, 12);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
        expect(['string', 'object', 'undefined']).toContain(typeof read(joined(start, rest)));
      }),
    );
    fc.assert(
      fc.property(fc.nat(picture.length - 1), fc.nat(255), (at, byte) => {
        expect(['string', 'object', 'undefined']).toContain(
          typeof read(withBytes(picture, at, byte)),
        );
      }),
    );
  });
});

describe('A picture is refused', () => {
  test.each([
    ['50 million pixels and more', pngOf(50_000, 1001)],
    ['the most a header can say', pngOf(0xffffffff, 0xffffffff)],
    ['none', pngOf(0, 5)],
    ['a JPEG whose height comes later', withSize(0, 9)],
    ['a JPEG as large as can be', withSize(0xffff, 0xffff)],
    ['a GIF as large as can be', withBytes(pictures.gif, 6, 255, 255, 255, 255)],
    [
      'a canvas as large as can be',
      withBytes(pictures.transparentWebp, 24, 255, 255, 255, 255, 255, 255),
    ],
  ])('for its size: %s', (_, file) => {
    expect(read(file)).toMatch(/has (more than 50 million pixels|no picture in it)/);
  });

  test('whose frames are larger than its canvas', () => {
    const frame = Buffer.from(pictures.gif).indexOf(0x2c) + 5;
    expect(read(withBytes(pictures.gif, frame, 0, 8))).toBe('is larger than it says');
    const lossless = Buffer.from(pictures.animatedWebp).indexOf('VP8L') + 9;
    const animated = withBytes(pictures.animatedWebp, lossless, 0xff, 0xff);
    expect(read(animated)).toBe('is larger than it says');
  });

  test.each([
    '<script>',
    '<SCRIPT src=x>',
    '<svg onload=x>',
    '%PDF-1.4',
    '<?php',
    '<!DOCTYPE html>',
  ])('with %s in its notes', (text) => {
    expect(read(pngWith(pngChunk('tEXt', `Comment\0${text}`)))).toBe(
      'is also a file of another kind',
    );
  });

  test('with an archive in its notes', () => {
    const notes = pngChunk('zTXt', 'PK\x03\x04file PK\x05\x06');
    expect(read(pngWith(notes))).toBe('is also a file of another kind');
  });

  test('whose parts are damaged, unknown, missing or out of order', () => {
    const { png, jpeg, gif } = pictures;
    expect(read(withBytes(png, 17, 1))).toBe('is damaged');
    expect(read(pngWith(pngChunk('EVIL', 'x')))).toBe('has unknown parts');
    expect(read(pngWith(png.subarray(8, 33)))).toBe('has parts out of order');
    expect(read(joined(png.subarray(0, 33), pngChunk('IEND', '')))).toBe('has no picture in it');
    expect(read(joined(jpeg.subarray(0, 3), '\0'))).toBe('is damaged');
    expect(read(joined(jpeg.subarray(0, 2), new Uint8Array([0xff, 0xd9])))).toMatch(/no picture/);
    expect(read(joined(gif.subarray(0, -1).subarray(0, 19), ';'))).toBe('has no picture in it');
  });
});

function withSize(height: number, width: number): Uint8Array {
  const at = Buffer.from(pictures.jpeg).indexOf(Buffer.from('ffc9', 'hex')) + 5;
  const numbers = [height >> 8, height & 255, width >> 8, width & 255];
  return withBytes(pictures.jpeg, at, ...numbers);
}
