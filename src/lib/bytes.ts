import { base64url } from 'jose';

/** Without padding. */
export const encodeBase64url = (bytes: Uint8Array): string => base64url.encode(bytes);

/**
 * Decodes base64url; null unless the text has the one canonical spelling: no padding, no other alphabet, no stray bits
 * in the last character.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = new Uint8Array(base64url.decode(text));
    return encodeBase64url(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

export const encodeHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** With padding. */
export const encodeBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** @throws DOMException when it is not base64 */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

export async function readUpTo(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size < limit;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  await reader.cancel();
  const bytes = await new Blob(chunks).arrayBuffer();
  return new Uint8Array(bytes).subarray(0, limit);
}
