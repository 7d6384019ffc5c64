import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBase62, randomBase62 } from '../../src/lib/base62.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const decode = (text: string) =>
  Array.from(text).reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);

describe('encodeBase62', () => {
  test('keeps every number and the width', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const text = encodeBase62(value, 9);
        expect(text).toMatch(/^[0-9A-Za-z]{9}$/);
        expect(decode(text)).toBe(value);
      }),
    );
  });

  test.each([
    [0, 1, '0'],
    [61, 1, 'z'],
    [62, 2, '10'],
    [61, 4, '000z'],
    [2 ** 32 - 1, 6, '4gfFC3'],
  ])('writes %d in %d digits as %s', (value, width, text) => {
    expect(encodeBase62(value, width)).toBe(text);
  });

  test.each([
    [62, 1],
    [62 ** 6, 6],
    [-1, 6],
    [0.5, 6],
    [Number.NaN, 6],
    [2 ** 53, 20],
  ])('refuses %d in %d digits', (value, width) => {
    expect(() => encodeBase62(value, width)).toThrow(RangeError);
  });
});

describe('randomBase62', () => {
  test('gives a text of the requested length, in base62', () => {
    fc.assert(
      fc.property(fc.nat(200), (length) => {
        const text = randomBase62(length);
        expect(text).toHaveLength(length);
        expect(text).toMatch(/^[0-9A-Za-z]*$/);
      }),
    );
  });

  test('gives every character equally often', () => {
    const expected = 4000;
    const counts = new Map(Array.from(alphabet, (character) => [character, 0]));
    for (let part = 0; part < expected; part++) {
      for (const character of randomBase62(62)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    // The limit is seven standard deviations; a byte modulo 62 would be 21 % off.
    const tolerance = 7 * Math.sqrt(expected);
    for (const count of counts.values()) {
      expect(Math.abs(count - expected)).toBeLessThan(tolerance);
    }
  });
});
