import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { md5 } from '../../src/lib/md5.ts';

test.each([
  ['', 'd41d8cd98f00b204e9800998ecf8427e'],
  ['a', '0cc175b9c0f1b6a831c399e269772661'],
  ['abc', '900150983cd24fb0d6963f7d28e17f72'],
  ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
  ['abcdefghijklmnopqrstuvwxyz', 'c3fcd3d76192e4007dfb496cca67e13b'],
  [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    'd174ab98d277d9f5a5611c2c9f419d9f',
  ],
  ['1234567890'.repeat(8), '57edf4a22be3c955ac49da2e2107b67a'],
])('the digest of %j is that of RFC 1321', (text, digest) => {
  expect(md5(text)).toBe(digest);
});

test('the digest of any text of any length is that of OpenSSL', () => {
  fc.assert(
    fc.property(fc.uint16Array({ maxLength: 200 }), (codes) => {
      const text = String.fromCharCode(...codes);
      expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'));
    }),
  );
  for (let length = 0; length < 130; length++) {
    const text = 'x'.repeat(length);
    expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'));
  }
});
