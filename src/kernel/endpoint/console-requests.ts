import type { MiddlewareHandler } from 'hono';
import { parse } from 'hono/utils/cookie';
import type { Config } from '../../config.ts';
import { kernelError } from '../errors/errors.ts';
import type { Endpoint } from './endpoint.ts';

type Address = Pick<Config, 'BASE_URL'>;

const isSecure = ({ BASE_URL }: Address): boolean => BASE_URL.startsWith('https:');

/**
 * The name of the cookie. With the prefix, a browser accepts it only from this host, for all paths, over TLS. Over
 * plain HTTP, on a developer's machine, no browser would.
 */
const cookieName = (config: Address) => (isSecure(config) ? '__Host-console' : 'console');

/**
 * The session in a console request.
 * @param cookies its header `Cookie`
 */
export function sessionCookie(cookies: string | undefined, config: Address): string {
  return cookieNamed(cookieName(config), cookies);
}

/** The cookie of a name; empty without one. */
export const cookieNamed = (name: string, cookies: string | undefined): string =>
  parse(cookies ?? '', name)[name] ?? '';

/** A `Set-Cookie` header that keeps a session for so many seconds, or deletes it if no session is given. */
export const cookieHeader = (session: string, seconds: number, config: Address): string =>
  [
    `${cookieName(config)}=${session}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${seconds}`,
    ...(isSecure(config) ? ['Secure'] : []),
  ].join('; ');

/**
 * Refuses requests that the console's own pages did not make. A browser sends the cookie with requests of other pages
 * too, and `SameSite=Strict` allows other hosts of the site. Operations that write also need a header, even a GET: the
 * page shows links that other people wrote, and they could lead back here.
 */
export function fromConsole({ effect }: Endpoint, { BASE_URL }: Address): MiddlewareHandler {
  const { origin } = new URL(BASE_URL);
  return async (c, next) => {
    const site = c.req.header('sec-fetch-site');
    const isOwn = site === undefined ? c.req.header('origin') === origin : site === 'same-origin';
    const reads = effect === 'read' && (c.req.method === 'GET' || c.req.method === 'HEAD');
    if (isOwn && (reads || c.req.header('x-console') === '1')) return next();
    throw kernelError('rest_forbidden', {
      message:
        'Only the pages of the console may call this. For other programs there are API keys.',
    });
  };
}
