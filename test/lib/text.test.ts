import { expect, test } from 'vitest';
import { clipped, cut, isSeen, plainCode, trimmed } from '../../src/lib/text.ts';

test.each([
  ' HEMAT',
  'HEMAT\t',
  'HEMAT\n',
  '\u00a0HEMAT',
  '\u200bHEMAT\ufeff',
  '\u2060 HEMAT \u00ad',
])('a text is trimmed: %j', (text) => expect(trimmed(text)).toBe('HEMAT'));

test('a text keeps its inner blanks', () => {
  expect(trimmed(' Toko  Dewi\u200d👩 ')).toBe('Toko  Dewi\u200d👩');
});

test('a text of a million blanks is trimmed without backtracking over them', () => {
  const blanks = ' '.repeat(500_000);
  expect(trimmed(`a${blanks}\u200bb${blanks}`)).toHaveLength(500_003);
  expect(trimmed(blanks)).toBe('');
});

test.each([
  ['hemat-10 ', 'HEMAT-10'],
  ['HEMAT–10', 'HEMAT-10'],
  ['HEMAT\u201110', 'HEMAT-10'],
  ['HE\u200bMAT-10', 'HEMAT-10'],
  ['ＨＥＭＡＴ－１０', 'HEMAT-10'],
  ['HEMAT 10', 'HEMAT 10'],
  ['“hemat-10” ', 'HEMAT-10'],
  [" 'HEMAT-10'", 'HEMAT-10'],
])('%j is the code %j', (typed, code) => expect(plainCode(typed)).toBe(code));

test.each(['', ' ', '\u00a0', '\u200b', '\u2060\u00ad', '\u3164', '\u2800', '\u3000', '\u0007'])(
  '%j has no visible character',
  (text) => expect(isSeen(text)).toBe(false),
);

test.each(['a', '.', '\u200ba', '日'])('%j has a visible character', (text) =>
  expect(isSeen(text)).toBe(true),
);

test.each([
  ['ab😀', 3, 'ab'],
  ['abé'.normalize('NFD'), 3, 'ab'],
  ['ab👩‍👩‍👧', 6, 'ab'],
  ['ab🇮🇩', 4, 'ab'],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['a\u0301\u0301\u0301', 2, 'a\u0301'],
  ['😀😀', 1, ''],
])('%j is cut to %i behind a whole character', (text, most, shown) => {
  expect(cut(text, most)).toBe(shown);
});

test('a text is clipped behind a whole character, and says so', () => {
  expect(clipped('ab👩‍👩‍👧c', 5)).toBe('ab…');
  expect(clipped('abc', 3)).toBe('abc');
});
