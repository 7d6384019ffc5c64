import { encodeBase64url } from '../../lib/bytes.ts';

/** The entity tag of a body: it changes with every byte. */
async function tagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `"${encodeBase64url(new Uint8Array(digest))}"`;
}

/** Compares `If-None-Match` with a tag, weakly: proxies that compress weaken tags. */
const names = (header: string, tag: string): boolean =>
  header.trim() === '*' ||
  header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);

/** Adds a tag to an answer; without a body if the caller has the same. */
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
