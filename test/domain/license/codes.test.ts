import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalCode,
  maskedCode,
  meantCode,
  newCode,
  partsOfCode,
} from '../../../src/domain/license/codes.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const characters = (code: string) => code.replaceAll('-', '');
const code = fc.constant(null).map(() => newCode());

test('a code is five groups of five base32 characters, and no two are the same', () => {
  const codes = Array.from({ length: 2000 }, () => newCode());
  for (const one of codes)
    expect(one).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

test('every character is as likely as any other in every place', () => {
  const counts = new Map<string, number>();
  const codes = Array.from({ length: 8000 }, () => characters(newCode()));
  for (const one of codes) {
    for (const [place, character] of one.split('').entries()) {
      counts.set(`${place}${character}`, (counts.get(`${place}${character}`) ?? 0) + 1);
    }
  }
  expect(counts.size).toBe(25 * 32);
  // 250 of each are expected; the limit is seven standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 250)).toBeLessThan(110);
});

describe('canonicalCode', () => {
  test('recognises a code however it is typed', () => {
    const typed = fc.record({
      code,
      lower: fc.boolean(),
      letters: fc.boolean(),
      separator: fc.constantFrom('', '-', ' ', ' - ', '–', '\u2011', '\u00ad', '\u200b-', '. '),
      around: fc.constantFrom('', ' ', '"', '“', '`', '\u200b', '\u00a0\n', '*'),
    });
    fc.assert(
      fc.property(typed, ({ code, lower, letters, separator, around }) => {
        const grouped = code.replaceAll('-', separator);
        const misread = letters ? grouped.replaceAll('0', 'O').replaceAll('1', 'l') : grouped;
        const written = `${around}${lower ? misread.toLowerCase() : misread}${around}`;
        expect(canonicalCode(written)).toBe(code);
      }),
    );
  });

  test('refuses a code with one character changed', () => {
    const change = fc.tuple(code, fc.nat(24), fc.integer({ min: 1, max: 31 }));
    fc.assert(
      fc.property(change, ([code, place, shift]) => {
        const plain = characters(code);
        const other = alphabet[(alphabet.indexOf(plain.charAt(place)) + shift) % 32] ?? '';
        const mistyped = plain.slice(0, place) + other + plain.slice(place + 1);
        expect(canonicalCode(mistyped)).toBeNull();
      }),
    );
  });

  test('refuses a code with two characters swapped, next to each other or not', () => {
    fc.assert(
      fc.property(fc.tuple(code, fc.nat(24), fc.nat(24)), ([code, a, b]) => {
        const swapped = characters(code).split('');
        fc.pre(swapped[a] !== swapped[b]);
        [swapped[a], swapped[b]] = [swapped[b] ?? '', swapped[a] ?? ''];
        expect(canonicalCode(swapped.join(''))).toBeNull();
      }),
    );
  });

  test('refuses any other text', () => {
    for (const text of ['', '-', '0', newCode().slice(0, -1), `${newCode()}0`, 'U'.repeat(25)]) {
      expect(canonicalCode(text)).toBeNull();
    }
    fc.assert(fc.property(fc.string(), (text) => canonicalCode(text) === null));
  });
});

test('a code from elsewhere is taken as it is typed, except for blanks around it', () => {
  const own = newCode();
  expect(meantCode(` ${own.toLowerCase().replaceAll('-', '')}`)).toBe(own);
  for (const other of ['0000001234-AB1CD-OIL0U', 'd41d8cd98f00b204e9800998ecf8427e', 'slm 42']) {
    expect(meantCode(` ${other}\n`)).toBe(other);
  }
  expect(meantCode('“SLM–42\u2011B”\u200b')).toBe('SLM-42-B');
});

test('a part of a code is searched as it is typed, and in every possible grouping', () => {
  expect(partsOfCode('slm–42')).toEqual(['slm-42']);
  expect(partsOfCode('gnh2jtcn05')).toEqual([
    'gnh2jtcn05',
    'G-NH2JT-CN05',
    'GN-H2JTC-N05',
    'GNH-2JTCN-05',
    'GNH2-JTCN0-5',
    'GNH2J-TCN05',
  ]);
});

test('a masked code shows its last four characters, and never most of a short one', () => {
  const one = newCode();
  expect(maskedCode(one)).toBe(`XXXXX-…-${one.slice(-4)}`);
  expect(maskedCode('d41d8cd98f00b204e9800998ecf8427e')).toBe('XXXXX-…-427e');
  expect(maskedCode('SLM-12345')).toBe('XXXXX-…-45');
  expect(maskedCode('AB1')).toBe('XXXXX-…-');
});
