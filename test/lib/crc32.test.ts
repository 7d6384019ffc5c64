import { crc32 as reference } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32 } from '../../src/lib/crc32.ts';

test('the checksum has the check value of CRC-32/ISO-HDLC', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
  expect(crc32('')).toBe(0);
});

test('the checksum of any text is that of zlib', () => {
  fc.assert(
    fc.property(fc.uint16Array({ maxLength: 300 }), (codes) => {
      const text = String.fromCharCode(...codes);
      expect(crc32(text)).toBe(reference(text));
    }),
  );
});
