import type { Context } from 'hono';
import type { IdempotentRequest } from '../command/change.ts';
import { kernelError } from '../errors/errors.ts';
import { type Endpoint, keepsAnswers } from './endpoint.ts';

/** Parses `If-Match`: `3` or `"3"`. */
export function versionOf(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const version = /^"?([0-9]{1,15})"?$/.exec(header)?.[1];
  if (version !== undefined) return Number(version);
  throw kernelError('rest_invalid_param', {
    message: 'If-Match must be the version of the record, a whole number.',
    params: { 'If-Match': 'must be a version number' },
  });
}

/** Returns the request's Idempotency-Key, if the endpoint stores replies. */
export async function idempotentRequest(
  endpoint: Endpoint,
  c: Context,
): Promise<IdempotentRequest | undefined> {
  const header = c.req.header('idempotency-key');
  if (header === undefined || !keepsAnswers(endpoint)) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw kernelError('rest_invalid_param', {
      message: 'Idempotency-Key must be 1 to 255 printable ASCII characters without blanks.',
      params: { 'Idempotency-Key': 'must have 1 to 255 printable characters' },
    });
  }
  const { pathname, search } = new URL(c.req.url);
  const body = endpoint.body ? await c.req.text() : '';
  const said = new TextEncoder().encode(
    JSON.stringify([pathname, search, body, c.req.header('if-match') ?? '']),
  );
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', said));
  return {
    operation: endpoint.id,
    key,
    fingerprint: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
