import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBase64url, encodeBase64url, encodeHex } from '../../src/lib/bytes.ts';

describe('base64url', () => {
  test('keeps all bytes, and equals the output of other implementations', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = encodeBase64url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(decodeBase64url(text)).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  test('has one spelling for the same bytes: any other text is refused', () => {
    const character = fc.constantFrom(...Array.from('ABab01-_+/= \n\u00e4'));
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 6 }), (text) => {
        const bytes = decodeBase64url(text);
        expect(bytes === null || encodeBase64url(bytes) === text).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    'A',
    'QQ==',
    'QR',
    'QUE=',
    'QUF',
    '+/+/',
    'QQ\n',
    ' QQ',
    'Q Q',
    'ＱＱ',
    '\uD800',
    'Q.Q',
  ])('refuses %j', (text) => {
    expect(decodeBase64url(text)).toBeNull();
  });
});

test('hexadecimal is lower case with two digits for each byte', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(encodeHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
    }),
  );
});
