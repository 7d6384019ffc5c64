import { encodeHex } from '../lib/bytes.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** HMAC-SHA-256 of a text under a secret, as lower-case hexadecimal. */
export async function hmacSha256(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign']);
  return encodeHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(text))));
}

/** SHA-512 of a text, as lower-case hexadecimal. */
export const sha512 = async (text: string): Promise<string> =>
  encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-512', bytesOf(text))));

/** Compares two texts of equal length in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
