import { expect } from 'vitest';
import { declarationOf } from '../harness/client.ts';

/** Headers of every answer, whatever its status. */
const headers = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Headers of answers with an `ETag` in place of these. */
const privately = {
  'cache-control': 'private, no-cache',
  etag: expect.stringMatching(/^".{43}"$/),
};

/** True for an answer that is a file: it is sent while it is read, and logged at its end. */
export const isFile = ({ headers }: Response) =>
  headers.get('content-disposition')?.startsWith('attachment') === true;

/** Fields that a log line may have. */
const logged = [
  'level',
  'request_id',
  'method',
  'operation',
  'path',
  'api_key_id',
  'user_id',
  'actor_user_id',
  'console_session_id',
  'status',
  'trips',
  'db_ms',
  'error',
  'sqlstate',
  'http',
  'cause',
  'constraint',
  'routine',
  'database',
  'stack',
];

/**
 * Fails unless an answer has the common headers, and its request one log line without secrets.
 * @param private_ texts that no log may have: addresses, bank accounts
 */
export function inspect(
  request: Request,
  response: Response,
  log: readonly Record<string, unknown>[],
  private_: readonly string[],
): void {
  const sent = Object.fromEntries(response.headers);
  const declaration = declarationOf(request.method.replace('HEAD', 'GET'), new URL(request.url));
  const own = response.status === declaration?.reply[0] ? declaration.headers : {};
  const asked = declaration?.etag && !isFile(response);
  const kept = asked && [200, 304].includes(response.status) && privately;
  const page = sent['content-type']?.startsWith('text/html') && {
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; (script-src 'self'|frame-ancestors 'none')/,
    ),
  };
  expect(sent).toMatchObject({ ...headers, ...page, ...own, ...kept });
  const credential = request.headers.get('authorization') || request.headers.get('x-svc-key');
  expect(sent['www-authenticate']).toBe(
    response.status !== 401
      ? undefined
      : `Bearer realm="sales-api"${credential ? ', error="invalid_token"' : ''}`,
  );
  const named = Object.keys(sent).filter((name) =>
    /^access-control|^x-powered|^server$/.test(name),
  );
  expect(named).toEqual([]);
  expect(sent['x-request-id']).toMatch(/^[!-~]+$/);
  const lines = log.filter((line) => line['request_id'] === sent['x-request-id']);
  expect(lines).toMatchObject([{ method: request.method, status: response.status }]);
  expect(logged).toEqual(expect.arrayContaining(Object.keys(lines[0] ?? {})));
  const text = JSON.stringify(lines);
  const credentials = ['authorization', 'x-svc-key', 'cookie', 'idempotency-key']
    .flatMap((name) => request.headers.get(name)?.split(' ') ?? [])
    .filter((word) => word.length > 10);
  const { pathname, searchParams } = new URL(request.url);
  // Values that are also in the path may be logged.
  const search = [...searchParams.values()].filter((v) => v.length > 10 && !pathname.includes(v));
  const leaked = [...credentials, ...search, ...private_].filter((word) => text.includes(word));
  expect(leaked, 'a log line gives these away').toEqual([]);
}
