import { encodeBase64url } from '../../lib/bytes.ts';

/** The entity tag of a body: another one whenever a byte of it is another. */
async function tagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `"${encodeBase64url(new Uint8Array(digest))}"`;
}

/** Compares `If-None-Match` with a tag, weakly: a proxy that compresses weakens tags. */
const names = (header: string, tag: string): boolean =>
  header.trim() === '*' ||
  header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);

/** An answer that its caller may keep and ask about again: without a body where it is still the same. */
export async function revalidated(
  response: Response,
  text: string,
  ifNoneMatch: string | undefined,
): Promise<Response> {
  const tag = await tagOf(text);
  response.headers.set('etag', tag);
  response.headers.set('cache-control', 'private, no-cache');
  if (ifNoneMatch === undefined || !names(ifNoneMatch, tag)) return response;
  response.headers.delete('content-type');
  return new Response(null, { status: 304, headers: response.headers });
}
