const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The largest multiple of 62 in a byte. Using bytes from here on would make the first digits likelier. */
const unbiased = 256 - (256 % alphabet.length);

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length))) {
      if (byte < unbiased) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

/** Returns a base62 character for each byte. The first letters of the alphabet are slightly more frequent. */
export const base62Of = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');

/**
 * Returns a non-negative integer in exactly `width` base62 digits, the highest first.
 * @throws RangeError if it is no such integer, or needs more digits
 */
export function encodeBase62(value: number, width: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('not a whole number');
  let text = '';
  let rest = value;
  for (let digit = 0; digit < width; digit++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  if (rest > 0) throw new RangeError(`needs more than ${width} base62 digits`);
  return text;
}
