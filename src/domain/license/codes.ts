import { withPlainHyphens } from '../../lib/text.ts';

/** Crockford's base32: without I, L, O and U, which people read as other characters. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 25;

/** Multiplies a value by x in GF(32), the field of x⁵ + x² + 1. */
const shifted = (value: number) => (value << 1) ^ (value >= 16 ? 0b100101 : 0);

/**
 * Evaluates a code's values, as the coefficients of a polynomial, at x: 0 for a valid code. Changing one character, or
 * swapping two, makes it non-zero.
 */
const remainder = (values: readonly number[]) =>
  values.reduce((sum, value) => shifted(sum) ^ value, 0);

/** 120 bits from the cryptographic random source, and a check character. */
export function newCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(length - 1));
  const values = Array.from(random, (byte) => byte % alphabet.length);
  return grouped([...values, shifted(remainder(values))]);
}

const grouped = (values: readonly number[]) =>
  values
    .map((value) => alphabet.charAt(value))
    .join('')
    .replace(/.{5}(?=.)/g, '$&-');

/** Only letters and digits count. */
const charactersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

/**
 * Normalises a typed or pasted code: any case, with or without hyphens, blanks and quotation marks, O for 0, I or L for
 * 1. Null if it can't be one of our codes.
 */
export function canonicalCode(text: string): string | null {
  const plain = charactersOf(text);
  const values = Array.from(plain, (character) => alphabet.indexOf(character));
  const good = values.length === length && !values.includes(-1) && remainder(values) === 0;
  return good ? grouped(values) : null;
}

/**
 * Returns our codes in their stored form. Others stay as typed, with plain hyphens and without characters that copying
 * adds.
 */
export const meantCode = (text: string): string => canonicalCode(text) ?? pasted(text);

const pasted = (text: string): string =>
  withPlainHyphens(text).replace(
    /^[\s"'`\p{Pi}\p{Pf}\p{Ps}\p{Pe}]+|[\s"'`\p{Pi}\p{Pf}\p{Ps}\p{Pe}]+$/gu,
    '',
  );

/**
 * The stored spellings that a part of a code may have: as typed and, from six characters on, grouped like our codes at
 * each offset.
 */
export function partsOfCode(text: string): string[] {
  const plain = charactersOf(text);
  if (!/^[0-9A-Z]{6,}$/.test(plain)) return [pasted(text)];
  const groupings = [1, 2, 3, 4, 5].map((first) =>
    [plain.slice(0, first), ...(plain.slice(first).match(/.{1,5}/g) ?? [])].join('-'),
  );
  return [...new Set([pasted(text), ...groupings])];
}

/** Shows the last four characters, or fewer of a short code. */
export const maskedCode = (code: string) =>
  `XXXXX-…-${code.slice(code.length - Math.min(4, Math.floor(code.length / 4)))}`;
